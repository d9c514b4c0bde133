import { WhatIfDocument, type WhatIfQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createEffect, createSignal, on, onCleanup } from 'solid-js';
import { query } from '../graphql-client.ts';
import type { LoadState } from '../load.ts';
import type { SettingsSet } from '../settings-set.ts';
import type { Whose } from './usage-page.ts';

export type WhatIfReport = WhatIfQuery['whatIf'];

/** The limits that can be tried: those that end runs or keep calls from being run. */
export const triedFields = ['maxIterations', 'tokenBudget', 'timeoutSeconds', 'maxToolCallsPerTurn'] as const;
export type TriedField = (typeof triedFields)[number];
export type Tried = Partial<Record<TriedField, number>>;

export const mostRuns = 10_000;
const movingPauseMs = 250;

/** Limits that are tried out and, once they please, saved through the settings' own form. */
export function createWhatIf(client: Client, whose: () => Whose, set: SettingsSet) {
  const [tried, setTried] = createSignal<Tried>({});
  const [state, setState] = createSignal<LoadState<WhatIfReport>>({ type: 'loading' });
  const [asking, setAsking] = createSignal(true);
  let latest = 0;
  let moving: ReturnType<typeof setTimeout> | undefined;

  const present = (field: TriedField) => Number(set.inForce(field));
  const value = (field: TriedField) => tried()[field] ?? present(field);
  const moved = () => triedFields.some((field) => value(field) !== present(field));

  /** Only the latest answer counts; what is shown stays until it is there. */
  async function ask(): Promise<void> {
    const mine = ++latest;
    setAsking(true);
    const answer = await query(client, WhatIfDocument, { filter: whose(), limits: tried(), last: mostRuns });
    if (mine !== latest) return;
    setAsking(false);
    setState(() => (answer.type === 'data' ? { type: 'ready', data: answer.data.whatIf } : answer));
  }

  createEffect(
    on([tried, whose], () => {
      clearTimeout(moving);
      moving = setTimeout(() => void ask(), state().type === 'loading' ? 0 : movingPauseMs);
    }),
  );
  onCleanup(() => clearTimeout(moving));

  /** A limit that is moved back to where it stands is not moved: each run keeps its own. */
  function move(field: TriedField, next: number) {
    const { [field]: _, ...rest } = tried();
    setTried(next === present(field) ? rest : { ...rest, [field]: next });
  }

  async function use(): Promise<void> {
    for (const [field, next] of Object.entries(tried())) set.edit(field, String(next));
    await set.flush();
  }

  return { state, asking, tried, value, moved, move, reset: () => setTried({}), use, reload: ask };
}

export interface Summary {
  readonly earlier: number;
  readonly lost: number;
  readonly savedTokens: number;
  readonly savedMs: number;
  readonly further: number;
  readonly otherwise: number;
  readonly nothing: boolean;
}

export function summaryOf({ earlier, further, otherwise, callsNotRun }: WhatIfReport): Summary {
  const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number) => rows.reduce((all, row) => all + pick(row), 0);
  const counts = {
    earlier: sum(earlier, ({ runs }) => runs),
    lost: sum(earlier, ({ lostAnswers }) => lostAnswers),
    savedTokens: sum(earlier, ({ savedTokens }) => savedTokens),
    savedMs: sum(earlier, ({ savedMs }) => savedMs),
    further: sum(further, ({ runs }) => runs),
    otherwise: sum(otherwise, ({ runs }) => runs),
  };
  return { ...counts, nothing: counts.earlier + counts.further + counts.otherwise === 0 && callsNotRun === 0 };
}
