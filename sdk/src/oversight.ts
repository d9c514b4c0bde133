import { makeBind } from './call.ts';
import type { OracleClient } from './client.ts';

/** What is watched and steered rather than asked, by noun. An entry of its own, so that asking stays small. */
// biome-ignore lint/suspicious/noEmptyInterface: nouns follow
export interface Oversight {}

/** Adds the nouns of oversight to a client: `const oversight = makeOversight(oracle)`. */
export function makeOversight(client: Pick<OracleClient, 'request' | 'subscribe'>): Oversight {
  const _bind = makeBind(client.request);
  return {};
}
