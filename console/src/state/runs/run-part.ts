import type { TypedDocument } from '@oracle-agent/sdk/documents';
import type { AnyVariables, Client } from '@urql/core';
import { createEffect, on } from 'solid-js';
import { createLoad } from '../load.ts';

/** A part of a run that is read again whenever the run has gone on. */
export function createRunPart<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocument<Data, Variables>,
  variables: () => Variables,
  version: () => number | undefined,
) {
  const load = createLoad(client, document, variables);
  createEffect(on(version, () => void load.reload(), { defer: true }));
  return load;
}
