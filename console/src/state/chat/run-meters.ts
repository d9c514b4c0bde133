import type { RunView } from '@oracle-agent/sdk';
import { ChatRunDocument, type ChatRunQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js';
import { query } from '../graphql-client.ts';
import { turnOf } from './run-view.ts';

export type RunDetails = NonNullable<ChatRunQuery['run']>;

export interface Meter {
  readonly used: number;
  readonly allowed: number;
}

export interface RunMeters {
  readonly turn: Meter;
  readonly tokens: Meter & { readonly estimated: boolean };
  readonly seconds: Meter;
  readonly context: Meter | undefined;
}

const charactersPerToken = 4;
/** How often the meters move between two turns. */
const tickMs = 500;

/** The limits of a run under way, and how much of each is used. Asked for again whenever a turn begins. */
export function createRunMeters(client: Client, runId: () => string | undefined, view: () => RunView) {
  const [details, setDetails] = createSignal<RunDetails>();
  /** How much text there was when the tokens were last told. */
  const [toldLength, setToldLength] = createSignal(0);
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), tickMs);
  onCleanup(() => clearInterval(timer));
  const turn = createMemo(() => turnOf(view()));
  const inWindow = createMemo(() => view().meters.context?.tokens);
  const ended = createMemo(() => view().ending !== undefined);

  createEffect(
    on([runId, turn, inWindow], async ([id]) => {
      if (id === undefined) return void setDetails(undefined);
      if (details()?.id !== id) setDetails(undefined);
      const length = textLength(view());
      const answer = await query(client, ChatRunDocument, { id });
      if (answer.type !== 'data' || !answer.data.run || runId() !== id) return;
      const { run } = answer.data;
      setDetails(() => run);
      setToldLength(length);
    }),
  );

  // Not with every word: a meter that moves twice a second is live enough.
  return createMemo((): RunMeters | undefined => {
    const run = details();
    const time = now();
    const written = toldLength();
    turn();
    inWindow();
    ended();
    return run && untrack(() => metersOf(run, view(), textLength(view()) - written, time));
  });
}

/** Between two turns the tokens are those the server counted, plus an estimate of what was written since. */
export function metersOf(run: RunDetails, view: RunView, writtenSince: number, now: number): RunMeters {
  const { config, decisions, startedAt } = run;
  const counted = decisions.at(-1)?.evaluations.find(({ reason }) => reason === 'TOKEN_BUDGET')?.value ?? 0;
  const { ending } = view;
  const { context } = view.meters;
  const tokens = ending
    ? { used: ending.usage.totalTokens, estimated: ending.usage.estimated }
    : { used: counted + Math.round(Math.max(0, writtenSince) / charactersPerToken), estimated: true };
  const seconds = ending ? ending.durationMs / 1_000 : Math.max(0, (now - Date.parse(startedAt)) / 1_000);
  return {
    turn: { used: turnOf(view), allowed: config.maxIterations },
    tokens: { ...tokens, allowed: config.tokenBudget },
    seconds: { used: Math.min(seconds, config.timeoutSeconds), allowed: config.timeoutSeconds },
    context: context && { used: context.tokens, allowed: context.windowSize },
  };
}

function textLength(view: RunView): number {
  return view.text.length;
}
