import { builtInSubscribers } from '../src/declared-folders.ts';
import { measureLogDelay } from './log-delay.ts';
import type { LoadCost, LoopCost, RulesCost } from './loop-process.ts';
import { askProcess } from './measured-process.ts';
import type { Section } from './report.ts';
import { measureServerRules } from './server-rules.ts';

export async function benchLoop(): Promise<Section> {
  const costs = await measureLoop();
  return {
    title: 'The loop alone: CPU per turn',
    rows: Object.fromEntries(
      costs.map(({ turns, bare, runner }) => [
        `${turns} turns`,
        { 'bare loop µs': bare, 'runner µs': runner, ratio: runner / bare },
      ]),
    ),
    goals: [
      ...costs.map(({ turns, bare, runner }) => ({
        what: `Loop of ${turns} turns, against a bare loop`,
        measured: runner / bare,
        atMost: 3,
      })),
      { what: 'Loop, log-log slope from 100 to 200 turns', measured: slopeOf(costs), atMost: 1.1, unit: '' },
    ],
  };
}

export function measureLoop(): Promise<readonly LoopCost[]> {
  return askProcess<readonly LoopCost[]>('loop-process', builtInSubscribers, 'loop');
}

/** 1 when twice the turns take twice the time, 2 when they take four times as long. */
export function slopeOf(costs: readonly LoopCost[]): number {
  const at = (turns: number) => turns * (costs.find((cost) => cost.turns === turns)?.runner ?? Number.NaN);
  return Math.log2(at(200) / at(100));
}

/** How an engine lays out the same code differs from one process to the next, by as much as what is looked for. */
const rulesProcesses = 2;

export async function benchRules(): Promise<Section> {
  const measured: (readonly LoadCost[])[] = [];
  for (let process = 0; process < rulesProcesses; process += 1)
    measured.push(await askProcess<readonly LoadCost[]>('loop-process', builtInSubscribers, 'rules'));
  const costs = (measured[0] ?? []).map((_, load) => meanOf(measured.flatMap((each) => each[load] ?? [])));
  return {
    title: 'Twenty rules and all subscribers, against none, in the loop: CPU per turn',
    rows: Object.fromEntries(
      costs.map((cost) => [cost.what, { ...rulesRow(cost), 'events a second': cost.eventsPerSecond }]),
    ),
    goals: costs.filter(({ promised }) => promised).map((cost) => addedGoal(cost.what, cost)),
  };
}

function meanOf(costs: readonly LoadCost[]): LoadCost {
  const [first] = costs;
  if (!first) throw new Error('Nothing was measured.');
  const mean = (of: (cost: LoadCost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  const without = mean((cost) => cost.without);
  const factor = mean((cost) => cost.with / cost.without);
  return { ...first, without, with: without * factor, eventsPerSecond: mean((cost) => cost.eventsPerSecond) };
}

/** The same in the product: the loop with its log, its readers, and rules as people have them. */
export async function benchServerRules(databaseUrl: string): Promise<Section> {
  const costs = await measureServerRules(databaseUrl);
  return {
    title: 'Twenty rules and all subscribers, against none, in the server: CPU per turn',
    rows: Object.fromEntries(costs.map((cost) => [cost.what, rulesRow(cost)])),
    goals: costs.map((cost) => addedGoal(`in the server, ${cost.what}`, cost)),
  };
}

function addedGoal(where: string, cost: RulesCost) {
  return { what: `Added by rules and subscribers to a turn, ${where}`, measured: added(cost), atMost: 5, unit: '%' };
}

function rulesRow(cost: RulesCost) {
  const { without, with: all } = cost;
  return { 'without µs': without, 'with µs': all, 'added µs': all - without, 'added %': added(cost) };
}

function added({ without, with: all }: RulesCost): number {
  return 100 * (all / without - 1);
}

export async function benchLogDelay(databaseUrl: string): Promise<Section> {
  const delays = await measureLogDelay(databaseUrl, [50, 500]);
  return {
    title: 'Stored before delivered: from append to reader, one chunk each 20 ms',
    rows: Object.fromEntries(
      delays.map(({ streams, medianMs, p95Ms }) => [`${streams} streams`, { 'median ms': medianMs, 'p95 ms': p95Ms }]),
    ),
    goals: delays.map(({ streams, p95Ms }) => ({
      what: `Delay by storing first, p95, ${streams} streams`,
      measured: p95Ms,
      atMost: 10,
      unit: 'ms',
    })),
  };
}
