import { builtInSubscribers } from '../src/declared-folders.ts';
import { measureLogDelay } from './log-delay.ts';
import type { LoopCost, LoopRulesCost, RulesCost } from './loop-process.ts';
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

export async function benchRules(databaseUrl: string): Promise<Section> {
  const servers = await measureServerRules(databaseUrl);
  const loop = await askProcess<LoopRulesCost>('loop-process', builtInSubscribers, 'rules');
  const row = ({ without, with: all }: RulesCost) => ({
    'without µs': without,
    'with µs': all,
    'added µs': all - without,
    'added %': added(without, all),
  });
  return {
    title: 'Twenty rules and all subscribers, against none: CPU per turn',
    rows: {
      ...Object.fromEntries(servers.map((cost) => [`${cost.what}, in the server`, row(cost)])),
      'one run at a time, the loop alone': row(loop.alone),
      '100 runs at once, the loop alone': row(loop.together),
      '100 runs at once, the loop without calling a model': row(loop.runner),
    },
    goals: [
      ...servers.map((cost) => ({ ...cost, where: `a turn in the server, ${cost.what}` })),
      { ...loop.alone, where: 'a turn of the loop alone, one run at a time' },
      { ...loop.together, where: 'a turn of the loop alone, 100 runs at once' },
    ].map(({ where, without, with: all }) => ({
      what: `Added by rules and subscribers to ${where}`,
      measured: added(without, all),
      atMost: 5,
      unit: '%',
    })),
  };
}

function added(without: number, all: number): number {
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
