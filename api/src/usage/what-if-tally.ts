import type { TerminationReason } from '../agent/termination.ts';
import type { Fate } from '../agent/what-if.ts';
import { decodeText } from '../store/exact-text.ts';

export interface AffectedRun {
  readonly run: {
    readonly id: string;
    readonly question: string;
    readonly startedAt: Date;
    readonly reason: TerminationReason;
    readonly turns: number;
    readonly tokens: number;
    readonly durationMs: number;
  };
  readonly fate: Exclude<Fate, { readonly type: 'same' }>;
}

export interface EarlierRuns {
  readonly reason: TerminationReason;
  readonly runs: number;
  readonly lostAnswers: number;
  readonly savedTokens: number;
  readonly savedMs: number;
}

export interface CountedReason {
  readonly reason: TerminationReason;
  readonly runs: number;
}

export interface WhatIf {
  readonly runs: number;
  /** Runs of before their course was kept, of which nothing can be said. */
  readonly unknown: number;
  readonly completed: number;
  readonly tokens: number;
  readonly durationMs: number;
  readonly earlier: readonly EarlierRuns[];
  readonly otherwise: readonly CountedReason[];
  /** By the reason that ended them. */
  readonly further: readonly CountedReason[];
  /** Calls that would not have been run beyond those that were not; less than none when more would have been. */
  readonly callsNotRun: number;
  readonly runsWithCallsNotRun: number;
  readonly affected: readonly AffectedRun[];
}

/** Enough to look into; the numbers are of all. */
const mostListed = 100;

/** Adds up the fates of runs, newest first. Lost answers are listed before all others. */
export class Tally {
  readonly #earlier = new Map<TerminationReason, EarlierRuns>();
  readonly #otherwise = new Map<TerminationReason, number>();
  readonly #further = new Map<TerminationReason, number>();
  readonly #lost: AffectedRun[] = [];
  readonly #rest: AffectedRun[] = [];
  #sums = { runs: 0, unknown: 0, completed: 0, tokens: 0, durationMs: 0, callsNotRun: 0, runsWithCallsNotRun: 0 };

  addUnknown(reason: TerminationReason): void {
    this.#sums.runs++;
    this.#sums.unknown++;
    if (reason === 'COMPLETED') this.#sums.completed++;
  }

  add(run: AffectedRun['run'], fate: Fate, callsNotRun: number): void {
    const sums = this.#sums;
    sums.runs++;
    sums.tokens += run.tokens;
    sums.durationMs += run.durationMs;
    if (run.reason === 'COMPLETED') sums.completed++;
    sums.callsNotRun += callsNotRun;
    if (callsNotRun !== 0) sums.runsWithCallsNotRun++;
    if (fate.type === 'same') return;
    if (fate.type === 'earlier') this.#addEarlier(run, fate);
    else if (fate.type === 'otherwise') count(this.#otherwise, fate.reason);
    else count(this.#further, run.reason);
    const lost = fate.type === 'earlier' && run.reason === 'COMPLETED';
    const list = lost ? this.#lost : this.#rest;
    if (list.length < mostListed) list.push({ run: { ...run, question: decodeText(run.question) }, fate });
  }

  result(): WhatIf {
    return {
      ...this.#sums,
      earlier: [...this.#earlier.values()],
      otherwise: listed(this.#otherwise),
      further: listed(this.#further),
      affected: [...this.#lost, ...this.#rest].slice(0, mostListed),
    };
  }

  #addEarlier({ reason: ended }: AffectedRun['run'], fate: Extract<Fate, { readonly type: 'earlier' }>): void {
    const { reason, savedTokens, savedMs } = fate;
    const so = this.#earlier.get(reason) ?? { reason, runs: 0, lostAnswers: 0, savedTokens: 0, savedMs: 0 };
    this.#earlier.set(reason, {
      reason,
      runs: so.runs + 1,
      lostAnswers: so.lostAnswers + (ended === 'COMPLETED' ? 1 : 0),
      savedTokens: so.savedTokens + savedTokens,
      savedMs: so.savedMs + savedMs,
    });
  }
}

function count(counts: Map<TerminationReason, number>, reason: TerminationReason): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

function listed(counts: ReadonlyMap<TerminationReason, number>): readonly CountedReason[] {
  return [...counts].map(([reason, runs]) => ({ reason, runs }));
}
