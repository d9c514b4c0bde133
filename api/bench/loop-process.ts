/** Measures the loop in a process of its own, as the product is built. Run by the benchmark. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { openRunEvents, type RunEvents, type RunView } from '../src/events/run-events.ts';
import type { Subscriber } from '../src/events/subscriber.ts';
import { createLogger } from '../src/logger.ts';
import { builtInSubscribersOf } from '../src/notifications/subscriber-files.ts';
import { RunRules } from '../src/rule-book/run-rules.ts';
import { indexRules } from '../src/rules/evaluate.ts';
import { costOf, runBare, runWhole } from './loop.ts';
import { median } from './median.ts';
import { twentyRules } from './twenty-rules.ts';
import { benchModel, turns } from './workload.ts';

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

/** With the model called in each turn, one run at a time and a hundred at once; and with its reply there already. */
export interface LoopRulesCost {
  readonly alone: RulesCost;
  readonly together: RulesCost;
  readonly runner: RulesCost;
}

const lengths = [200, 100, 50, 15, 5];
/** So many turns are run, in runs of whatever length, for one measurement. */
const turnsPerRound = 1_500;
const rounds = 20;
/** Of rules, where two things are compared that hardly differ. */
const pairs = 36;
const warmUpRounds = 6;
/** Run before anything is measured, so that all is compiled as in a server that has been up for a while. */
const warmUp = 60_000;

const [folder = '', what = 'loop'] = process.argv.slice(2);
const subscribers = await builtInSubscribersOf(folder);
const core = subscribers.filter((subscriber) => subscriber.core);
const log = createLogger('silent');

function eventsOf(view: RunView, of: readonly Subscriber[], rules: boolean): RunEvents {
  const stored: unknown[] = [];
  return openRunEvents(view, {
    subscribers: () => of,
    listeners: [
      (bus) => bus.on('*', (event) => void stored.push(event)),
      ...(rules ? [(bus: Parameters<RunRules['attach']>[0]) => new RunRules(ofRun).attach(bus, view, about)] : []),
    ],
    later(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  });
}

const about = { question: 'Why?', modelName: 'bench', treeName: 'default' };
const rules = indexRules(twentyRules);
const present = { rules: new Map(), problems: [], versions: new Map(), organisation: new Map() };

/** What stands in for the store; in a server it is there before the run begins. */
const ofRun = {
  book: { present, byEvent: () => rules },
  log,
  runId: 'run',
  userId: 'user',
  projectId: 'project',
  subject: { role: 'USER', projectName: 'Project', states: new Map(), personal: new Map() },
  firings: { add: () => undefined, remember: () => undefined },
} as const;

const plain = (view: RunView) => eventsOf(view, core, false);
const watched = (view: RunView) => eventsOf(view, subscribers, true);

async function measureLoop(): Promise<readonly LoopCost[]> {
  const costs: LoopCost[] = [];
  for (const turns of lengths) {
    const times = Math.ceil(turnsPerRound / turns);
    const [bare, runner] = await alternately(
      () => costOf(times * turns, () => repeated(times, () => runBare(turns))),
      () =>
        costOf(times * turns, () =>
          repeated(times, () => runWhole(turns, (view) => eventsOf(view, subscribers, false))),
        ),
    );
    costs.push({ turns, bare, runner });
  }
  return costs;
}

/** Each turn with its call of a model, and without one: then nothing is left of it but what the runner does itself. */
async function measureRules(): Promise<LoopRulesCost> {
  const model = benchModel();
  return { alone: await rulesCost(1, model), together: await rulesCost(100, model), runner: await rulesCost(100) };
}

/**
 * Of so many runs at once. What is looked for is smaller than what one round differs from the next by: each is compared
 * with the one beside it, in turns with the one and the other first, and the middle of all counts.
 */
async function rulesCost(atOnce: number, asked?: LanguageModelV4): Promise<RulesCost> {
  const runs = 100;
  const cost = (open: typeof plain) =>
    costOf(runs * turns, () =>
      repeated(runs / atOnce, () => Promise.all(Array.from({ length: atOnce }, () => runWhole(turns, open, asked)))),
    );
  const without: number[] = [];
  const ratios: number[] = [];
  for (let round = -warmUpRounds; round < pairs; round += 1) {
    const [first, second] = round % 2 === 0 ? [plain, watched] : [watched, plain];
    const costs = new Map([[first, await cost(first)]]).set(second, await cost(second));
    if (round < 0) continue;
    without.push(costs.get(plain) ?? Number.NaN);
    ratios.push((costs.get(watched) ?? Number.NaN) / (costs.get(plain) ?? Number.NaN));
  }
  return { without: median(without), with: median(without) * median(ratios) };
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

/**
 * The least of several measurements each, taken in turns: whatever else the machine does only adds to what a thing
 * costs.
 */
async function alternately(
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<readonly [number, number]> {
  const costs: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push([await one(), await other()]);
  return [Math.min(...costs.map(([cost]) => cost)), Math.min(...costs.map(([, cost]) => cost))];
}

await repeated(warmUp / 20, () => runWhole(20, watched));
await repeated(warmUp / 20, () => runBare(20));
process.send?.(what === 'rules' ? await measureRules() : await measureLoop());
process.disconnect?.();
