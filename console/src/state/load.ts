import type { TypedDocument } from '@oracle-agent/sdk/documents';
import type { AnyVariables, Client } from '@urql/core';
import { createEffect, createSignal, on } from 'solid-js';
import { query } from './graphql-client.ts';

export type LoadState<Data> =
  | { readonly type: 'loading' }
  | { readonly type: 'ready'; readonly data: Data }
  | { readonly type: 'failed'; readonly message: string; readonly forbidden: boolean };

/** A query that follows its variables. Data stays on the screen while newer is fetched; only the latest answer counts. */
export function createLoad<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocument<Data, Variables>,
  variables: () => Variables,
) {
  const [state, setState] = createSignal<LoadState<Data>>({ type: 'loading' });
  const [fetching, setFetching] = createSignal(true);
  let latest = 0;
  let underWay: Promise<unknown> = Promise.resolve();

  async function load(now: Variables, keepOnFailure: boolean): Promise<void> {
    const mine = ++latest;
    setFetching(true);
    if (state().type === 'failed') setState({ type: 'loading' });
    const asking = query(client, document, now);
    underWay = asking;
    const answer = await asking;
    if (mine !== latest) return;
    setFetching(false);
    // A refresh that fails leaves what is known; the answer to another question must not pass for this one's.
    if (answer.type === 'data') setState(() => ({ type: 'ready', data: answer.data }));
    else if (state().type !== 'ready' || !keepOnFailure) setState(() => answer);
  }

  /** The same question that is under way would be given its answer, which may be from before what it is asked again for. */
  async function reload(): Promise<void> {
    await underWay;
    await load(variables(), true);
  }

  createEffect(on(variables, (now) => void load(now, false)));

  return { state, fetching, reload };
}
