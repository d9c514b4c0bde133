import { outcomeSignature } from './tool-call.ts';
import { actionText, type TraceTurn } from './trace.ts';

/** How a run repeats itself, if it does, judged by its calls alone and not by any detector. */
export const shapes = ['identical', 'alternating', 'longer cycles', 'stale results', 'no repetition'] as const;
export type Shape = (typeof shapes)[number];

export interface Judged {
  readonly stuck: boolean;
  readonly stopped: boolean;
  readonly shape: Shape;
}

export interface Score {
  readonly runs: number;
  readonly stuck: number;
  /** Share of runs judged rightly. */
  readonly accuracy: number;
  /** Share of the runs that made progress which were stopped all the same. */
  readonly falseAlarms: number;
  /** Share of the stuck runs which were stopped. */
  readonly recall: number;
}

/** The simplest pattern found anywhere in the run: A A A, then A B A B, then longer cycles, then known results. */
export function shapeOf(turns: readonly TraceTurn[]): Shape {
  const actions = turns.map(actionText);
  if (hasCycle(actions, 1, 3)) return 'identical';
  if (hasCycle(actions, 2, 4)) return 'alternating';
  for (let period = 3; period * 2 <= actions.length; period++) {
    if (hasCycle(actions, period, period * 2)) return 'longer cycles';
  }
  return repeatsResults(turns) ? 'stale results' : 'no repetition';
}

export function score(judged: readonly Judged[]): Score {
  const stuck = judged.filter((run) => run.stuck);
  const healthy = judged.filter((run) => !run.stuck);
  return {
    runs: judged.length,
    stuck: stuck.length,
    accuracy: share(judged, (run) => run.stopped === run.stuck),
    falseAlarms: share(healthy, (run) => run.stopped),
    recall: share(stuck, (run) => run.stopped),
  };
}

/** A table for people, in all and for each shape. */
export function reportText(judged: readonly Judged[]): string {
  const rows = [
    ['', 'runs', 'stuck', 'accuracy', 'false alarms', 'recall'],
    cells('all', score(judged)),
    ...shapes.map((shape) => cells(shape, score(judged.filter((run) => run.shape === shape)))),
  ];
  return rows
    .map(([name = '', ...numbers]) => name.padEnd(14) + numbers.map((cell) => cell.padStart(14)).join(''))
    .join('\n');
}

/** Some stretch of the given length in which every action equals the one a period before. */
function hasCycle(actions: readonly string[], period: number, length: number): boolean {
  let matching = 0;
  for (let index = period; index < actions.length; index++) {
    matching = actions[index] === actions[index - period] ? matching + 1 : 0;
    if (matching + period >= length) return true;
  }
  return false;
}

function repeatsResults(turns: readonly TraceTurn[]): boolean {
  const seen = new Set<string>();
  return turns.some(({ outcomes }) => {
    const signatures = outcomes.filter((outcome) => outcome.status !== 'not-run').map(outcomeSignature);
    const known = signatures.every((signature) => seen.has(signature));
    for (const signature of signatures) seen.add(signature);
    return known;
  });
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? Number.NaN : all.filter(holds).length / all.length;
}

function cells(name: string, { runs, stuck, accuracy, falseAlarms, recall }: Score): string[] {
  return [name, String(runs), String(stuck), percent(accuracy), percent(falseAlarms), percent(recall)];
}

function percent(value: number): string {
  return Number.isNaN(value) ? '–' : `${(value * 100).toFixed(2)} %`;
}
