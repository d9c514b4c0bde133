import {
  CancelRunsDocument,
  CountRunningDocument,
  type RunRowFragment,
  RunsChangedDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { createStore, reconcile } from 'solid-js/store';
import { words } from '../words.ts';
import { mutate, query } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import { type Forecast, forecast, type Sample, withSample } from './live-forecast.ts';
import { createSelection } from './selection.ts';
import { toasts } from './toasts.ts';

/** A run under way with what is needed to tell its pace. */
export interface WallRun {
  readonly id: string;
  readonly run: RunRowFragment;
  readonly samples: readonly Sample[];
  /** The browser's clock when this was heard; the server's says how long the run had taken by then. */
  readonly heardAt: number;
}

/** What is on the wall after the server has told of some runs. A full telling leaves only what it names. */
export function applyChange(
  wall: readonly WallRun[],
  change: { readonly reload: boolean; readonly runs: readonly RunRowFragment[] },
  now: number,
): readonly WallRun[] {
  const known = new Map(wall.map((one) => [one.id, one]));
  const told = change.runs
    .filter(({ status }) => status === 'RUNNING')
    .map((run) => heard(run, known.get(run.id), now));
  const named = new Set(change.runs.map(({ id }) => id));
  const rest = change.reload ? [] : wall.filter(({ id }) => !named.has(id));
  return [...told, ...rest].toSorted((one, other) => Date.parse(other.run.startedAt) - Date.parse(one.run.startedAt));
}

function heard(run: RunRowFragment, before: WallRun | undefined, now: number): WallRun {
  const samples = before?.samples ?? [{ seconds: 0, tokens: 0 }];
  return {
    id: run.id,
    run,
    samples: withSample(samples, { seconds: run.durationMs / 1_000, tokens: run.tokens }),
    heardAt: now,
  };
}

export function forecastAt({ run, samples, heardAt }: WallRun, now: number): Forecast {
  return forecast(run, samples, (run.durationMs + Math.max(0, now - heardAt)) / 1_000);
}

const longestQuestion = 120;

/** A question as it fits a line, whole characters only. */
export function shortened(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > longestQuestion ? `${characters.slice(0, longestQuestion).join('')}…` : line;
}

export interface WallTotals {
  readonly runs: number;
  readonly people: number;
  readonly tokens: number;
  readonly tokensPerMinute: number;
}

export function totalsOf(wall: readonly WallRun[], now: number): WallTotals {
  return {
    runs: wall.length,
    people: new Set(wall.map(({ run }) => run.user.id)).size,
    tokens: wall.reduce((sum, { run }) => sum + run.tokens, 0),
    tokensPerMinute: wall.reduce((sum, one) => sum + forecastAt(one, now).tokensPerMinute, 0),
  };
}

/** The server tells of so many at once; of the others when they go a step further. */
const mostTold = 100;

/** Everything under way, kept current by the server; the clock ticks between its messages. */
export function createLiveWall(client: Client, live: LiveConnection) {
  const [wall, setWall] = createStore<{ runs: readonly WallRun[] }>({ runs: [] });
  const [loaded, setLoaded] = createSignal(false);
  /** How many there are, when there may be more than are told of. */
  const [all, setAll] = createSignal(0);
  const [now, setNow] = createSignal(performance.now());
  const [stopping, setStopping] = createSignal<ReadonlySet<string>>(new Set());
  const selection = createSelection();

  const stopListening = live.subscribe(RunsChangedDocument, { everyone: true }, ({ runsChanged }) => {
    setNow(performance.now());
    const next = applyChange(wall.runs, runsChanged, performance.now());
    // Rows that stay keep their elements, and with them the focus.
    setWall('runs', reconcile([...next], { key: 'id' }));
    const running = new Set(next.map(({ id }) => id));
    selection.keep(running);
    setLoaded(true);
    void count(next.length);
  });
  const clock = setInterval(() => setNow(performance.now()), 1_000);
  onCleanup(() => {
    stopListening();
    clearInterval(clock);
  });

  async function count(shown: number): Promise<void> {
    if (shown < mostTold) return void setAll(0);
    const answer = await query(client, CountRunningDocument, {});
    if (answer.type === 'data') setAll(answer.data.runs.totalCount);
  }

  async function stop(runIds: readonly string[]): Promise<void> {
    setStopping((busy) => new Set([...busy, ...runIds]));
    const answer = await mutate(client, CancelRunsDocument, { runIds: [...runIds] });
    setStopping((busy) => new Set([...busy].filter((id) => !runIds.includes(id))));
    if (answer.type === 'failed')
      return void toasts.show({ text: `${words.failed} ${answer.message}`, tone: 'failure' });
    toasts.show({ text: tellOutcome(answer.data.cancelRuns) });
  }

  return {
    runs: () => wall.runs,
    all: () => Math.max(all(), wall.runs.length),
    loaded,
    now,
    selection,
    stopping,
    stop,
  };
}

export type LiveWall = ReturnType<typeof createLiveWall>;

export function tellOutcome(runs: readonly { readonly outcome: string }[]): string {
  const count = (outcome: string) => runs.filter((run) => run.outcome === outcome).length;
  const [ended, missing] = [count('ENDED_ALREADY'), count('MISSING')];
  return [
    words.live.stopped(count('STOPPED')),
    ...(ended > 0 ? [words.live.endedAlready(ended)] : []),
    ...(missing > 0 ? [words.live.missing(missing)] : []),
  ].join(' ');
}
