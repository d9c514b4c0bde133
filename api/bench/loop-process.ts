/** Measures the loop in a process of its own, as the product is built. Run by the benchmark. */
import type { EventBus } from '../src/events/bus.ts';
import { openRunEvents, type RunEvents, type RunView } from '../src/events/run-events.ts';
import type { Subscriber } from '../src/events/subscriber.ts';
import { createLogger } from '../src/logger.ts';
import { builtInSubscribersOf } from '../src/notifications/subscriber-files.ts';
import { placeRules } from '../src/rule-book/placed-rules.ts';
import { RunRules } from '../src/rule-book/run-rules.ts';
import { costOf, runBare, runWhole } from './loop.ts';
import { meanRatio, median } from './median.ts';
import { twentyRules } from './twenty-rules.ts';
import { benchModel, deltasPerTurn, type Reads, turns } from './workload.ts';

export interface LoopCost {
  readonly turns: number;
  /** Microseconds of processor time for each turn. */
  readonly bare: number;
  readonly runner: number;
}

/** The cost of a turn without rules and with the core's subscribers alone, and with all of it. */
export interface RulesCost {
  readonly without: number;
  readonly with: number;
}

/** Runs of each kind, so many at once. */
interface Load {
  readonly what: string;
  readonly atOnce: number;
  readonly runs: number;
  /** How replies come, if not at once. */
  readonly reads?: Reads;
  /** Whether something was promised about it. */
  readonly promised: boolean;
}

export interface LoadCost extends Load, RulesCost {
  /** Of all runs together. */
  readonly eventsPerSecond: number;
}

/** Parts of a reply: its words, its call, and what stands around them. */
const partsPerReply = deltasPerTurn + 5;

/** The slow ones last: at their pace, nothing is compiled any more that is not compiled by then. */
const loads: readonly Load[] = [
  { what: '100 runs at once', atOnce: 100, runs: 4_000, promised: true },
  { what: 'one run, as fast as it goes', atOnce: 1, runs: 1_000, promised: false },
  {
    what: 'one run, 1 000 events a second',
    atOnce: 1,
    runs: 32,
    reads: { everyMs: 1, parts: Math.ceil(partsPerReply / 5) },
    promised: true,
  },
  {
    what: 'the same, each reply all at once after a pause',
    atOnce: 1,
    runs: 12,
    reads: { everyMs: 5, parts: partsPerReply },
    promised: false,
  },
];

const lengths = [200, 100, 50, 15, 5];
/** So many turns are run, in runs of whatever length, for one measurement. */
const turnsPerRound = 1_500;
const rounds = 20;
/**
 * Run before anything is measured, so that all is compiled as in a server that has been up for a while. What happens once
 * in a run, as a notice does, is compiled late.
 */
const warmUp = { loop: 60_000, rules: 240_000 };

const [folder = '', what = 'loop'] = process.argv.slice(2);
const subscribers = await builtInSubscribersOf(folder);
const core = subscribers.filter((subscriber) => subscriber.core);
const log = createLogger('silent');

let events = 0;

function eventsOf(view: RunView, of: readonly Subscriber[], rules: boolean): RunEvents {
  const stored: unknown[] = [];
  return openRunEvents(view, {
    subscribers: () => of,
    listeners: [
      (bus) =>
        bus.on('*', (event) => {
          stored.push(event);
          events += 1;
        }),
      ...(rules ? [(bus: EventBus) => new RunRules(ofRun, bus, view).listen()] : []),
    ],
    later(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  });
}

const rules = placeRules(twentyRules);
const present = { rules: new Map(), problems: [], versions: new Map(), organisation: new Map() };

/** What stands in for the store; in a server it is there before the run begins. */
const ofRun = {
  book: { present, placed: () => rules },
  log,
  runId: 'run',
  userId: 'user',
  projectId: 'project',
  about: { question: 'Why?', modelName: 'bench', treeName: 'default' },
  subject: { role: 'USER', projectName: 'Project', states: new Map(), personal: new Map() },
  firings: { add: () => undefined, remember: () => undefined },
} as const;

const plain = (view: RunView) => eventsOf(view, core, false);
const watched = (view: RunView) => eventsOf(view, subscribers, true);

/**
 * The least of several measurements each: whatever else the machine does only adds to what a thing costs. All lengths in
 * each round, so that a slow moment of the machine is one for all of them.
 */
async function measureLoop(): Promise<readonly LoopCost[]> {
  const least = new Map(lengths.map((turns) => [turns, { turns, bare: Infinity, runner: Infinity }]));
  for (let round = 0; round < rounds; round += 1)
    for (const [turns, cost] of least) {
      const times = Math.ceil(turnsPerRound / turns);
      const costBy = (run: () => Promise<unknown>) => costOf(times * turns, () => repeated(times, run));
      cost.bare = Math.min(cost.bare, await costBy(() => runBare(turns)));
      const whole = () => runWhole(turns, (view) => eventsOf(view, subscribers, false));
      cost.runner = Math.min(cost.runner, await costBy(whole));
    }
  return [...least.values()];
}

async function measureRules(): Promise<readonly LoadCost[]> {
  const costs: LoadCost[] = [];
  for (const load of loads) costs.push(await rulesCost(load));
  return costs;
}

/**
 * What is looked for is smaller than what the machine differs by from one second to the next: runs of the one and the
 * other kind follow each other, now the one and now the other first, and each is compared with its neighbour.
 */
async function rulesCost(load: Load): Promise<LoadCost> {
  const { atOnce, runs, reads } = load;
  const model = benchModel(undefined, reads);
  const costBy = (open: typeof plain) => {
    const together = () => Promise.all(Array.from({ length: atOnce }, () => runWhole(turns, open, model)));
    return costOf(atOnce * turns, together, reads ? process.threadCpuUsage : process.cpuUsage);
  };
  const count = runs / atOnce;
  const pairs: (readonly [number, number])[] = [];
  const [began, eventsBefore] = [performance.now(), events];
  for (let pair = 0; pair < count * 1.1; pair += 1) {
    if (pair < count * 0.1) pairs.length = 0; // not warm yet
    if (pair % 2 === 0) pairs.push([await costBy(plain), await costBy(watched)]);
    else {
      const all = await costBy(watched);
      pairs.push([await costBy(plain), all]);
    }
  }
  const eventsPerSecond = (1_000 * (events - eventsBefore)) / (performance.now() - began);
  const without = median(pairs.map(([cost]) => cost));
  return { ...load, without, with: without * meanRatio(pairs), eventsPerSecond };
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

if (what === 'rules') {
  const model = benchModel();
  // Both kinds, as they are measured: code that has seen one of them only is thrown away when the other comes, and at a
  // thousand events a second it takes minutes until it is compiled again.
  await repeated(warmUp.rules / turns / 2, async () => {
    await runWhole(turns, watched, model);
    await runWhole(turns, plain, model);
  });
  process.send?.(await measureRules());
} else {
  await repeated(warmUp.loop / 20, () => runWhole(20, watched));
  await repeated(warmUp.loop / 20, () => runBare(20));
  process.send?.(await measureLoop());
}
process.disconnect?.();
