import {
  CancelRunDocument,
  RunPageDocument,
  type RunPageQuery,
  type RunRowFragment,
  RunsChangedDocument,
} from '@oracle-agent/sdk/documents';
import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js';
import { words } from '../../words.ts';
import type { App } from '../app-context.ts';
import { goOn } from '../chat/start-run.ts';
import { mutate } from '../graphql-client.ts';
import { createLoad } from '../load.ts';
import { toasts } from '../toasts.ts';
import { createNow } from './now.ts';
import { durationOf } from './run-rows.ts';

export type RunDetails = NonNullable<RunPageQuery['run']>;
export type RunPageState = ReturnType<typeof createRunPage>;

/** One run, as it stands now: what its page shows above and beside its views. */
export function createRunPage({ session, live }: App, id: () => string, open: (path: string) => void) {
  const { client } = session;
  const load = createLoad(client, RunPageDocument, () => ({ id: id() }));
  const [told, setTold] = createSignal<{ readonly row: RunRowFragment; readonly toldAt: number }>();
  const [stopping, setStopping] = createSignal(false);
  const [going, setGoing] = createSignal(false);

  const loaded = createMemo(() => {
    const state = load.state();
    return state.type === 'ready' ? (state.data.run ?? undefined) : undefined;
  });
  createEffect(
    on(loaded, (run) => {
      setTold(run && { row: run, toldAt: Date.now() });
      if (run?.status !== 'RUNNING') setStopping(false);
    }),
  );
  const running = createMemo(() => told()?.row.status === 'RUNNING');
  const ownerId = createMemo(() => (running() ? loaded()?.user.id : undefined));

  createEffect(
    on(ownerId, (userId) => {
      if (userId === undefined) return;
      const stop = live.subscribe(RunsChangedDocument, { userId }, ({ runsChanged }) => {
        const row = runsChanged.runs.find((one) => one.id === id());
        if (row) setTold({ row, toldAt: Date.now() });
        // Its ending is told by the page's own question; so is what a lost connection has missed.
        if (row?.status === 'ENDED' || (runsChanged.reload && !row)) void load.reload();
      });
      onCleanup(stop);
    }),
  );

  const now = createNow(running);

  async function stop(): Promise<void> {
    setStopping(true);
    const answer = await mutate(client, CancelRunDocument, { runId: id() as RunDetails['id'] });
    if (answer.type === 'data') return void load.reload();
    setStopping(false);
    toasts.show({ text: `${words.failed} ${answer.message}`, tone: 'failure' });
  }

  /** Goes on as a run of its own, which is then the one to look at. */
  async function resume(how: 'continue' | 'answer'): Promise<void> {
    setGoing(true);
    const outcome = await goOn({ client, live }, how, id(), 'REJECT');
    setGoing(false);
    if (outcome.type === 'started') open(`/runs/${outcome.runId}`);
    else toasts.show({ text: `${words.failed} ${outcome.message}`, tone: 'failure' });
  }

  return {
    state: load.state,
    reload: load.reload,
    run: loaded,
    row: () => told()?.row,
    running,
    /** Changes whenever something of the run did. */
    version: () => told()?.toldAt,
    durationMs: () => {
      const row = told();
      return row ? durationOf(row, now()) : 0;
    },
    stopping,
    going,
    stop,
    resume,
  };
}
