/** An urql client whose operations travel through an Oracle client: its token, its reconnecting, its transports. */
import { type Exchange, subscriptionExchange } from '@urql/core';
import type { OracleClient } from './client.ts';
import { OracleError } from './oracle-error.ts';

type Send = Pick<OracleClient, 'request' | 'subscribe'>;
type Data = Record<string, unknown>;
type Sink = Parameters<ReturnType<Parameters<typeof subscriptionExchange>[0]['forwardSubscription']>['subscribe']>[0];

/**
 * The last exchange of an urql client, in place of `fetchExchange`: queries and mutations are sent, subscriptions are
 * listened to and taken up again when the connection is lost. The chunks of a run arrive once and in order, where the
 * document asks for `seq` and `fromSeq`. What the server refuses is a GraphQL error with its code in `extensions.code`.
 */
export function oracleExchange(oracle: Send): Exchange {
  return subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = '', variables = {} }, { kind }) => ({
      subscribe(sink) {
        const stop = new AbortController();
        void forward(oracle, kind === 'subscription', query, variables, sink, stop.signal);
        return { unsubscribe: () => stop.abort() };
      },
    }),
  });
}

async function forward(
  oracle: Send,
  live: boolean,
  query: string,
  variables: object,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (live) {
      for await (const data of oracle.subscribe<Data, object>(query, variables, { signal })) {
        sink.next({ data, hasNext: !isLast(data) });
      }
    } else {
      sink.next({ data: await oracle.request<Data, object>(query, variables, { signal }) });
    }
  } catch (failure) {
    if (signal.aborted) return;
    if (!(failure instanceof OracleError) || !saidByServer(failure)) return sink.error(failure);
    const { messages, code, details } = failure;
    sink.next({ data: null, errors: messages.map((message) => ({ message, extensions: { code, ...details } })) });
  }
  if (!signal.aborted) sink.complete();
}

/** Told in advance, since urql would hand out the last chunk twice if the end came as a surprise. */
function isLast(data: Data): boolean {
  return Object.values(data).some(
    (value) => typeof value === 'object' && value !== null && '__typename' in value && value.__typename === 'DoneChunk',
  );
}

/** Otherwise nobody answered, or not this API: what urql calls a network error. */
function saidByServer({ code }: OracleError): boolean {
  return code !== 'NETWORK' && code !== 'TIMEOUT' && code !== 'BAD_RESPONSE' && code !== 'CLOSED';
}
