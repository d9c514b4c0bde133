import type { TypedDocument } from '@oracle-agent/sdk/documents';
import { type AnyVariables, Client, type CombinedError, fetchExchange, mapExchange } from '@urql/core';
import { words } from '../words.ts';

export interface Failure {
  readonly type: 'failed';
  readonly message: string;
  readonly forbidden: boolean;
  /** The server's code for it, where there is one. */
  readonly code?: string;
}

export type Answer<Data> = { readonly type: 'data'; readonly data: Data } | Failure;

/**
 * No cache on purpose: pages hold what they show, and the settings subscription says when it is out of date. The session
 * cookie authenticates; scripts never see the token.
 */
export function makeGraphqlClient(onUnauthenticated: () => void): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'network-only',
    fetchOptions: { credentials: 'same-origin' },
    exchanges: [
      mapExchange({
        onError: (error) => {
          if (hasCode(error, 'UNAUTHENTICATED')) onUnauthenticated();
        },
      }),
      fetchExchange,
    ],
  });
}

export async function query<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Answer<Data>> {
  return toAnswer(await client.query<Data, Variables>(document, variables).toPromise());
}

/** Mutations outlive the page (`keepalive`), so that the last change before leaving still arrives. */
export async function mutate<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Answer<Data>> {
  const context = { fetchOptions: { credentials: 'same-origin', keepalive: true } } as const;
  return toAnswer(await client.mutation<Data, Variables>(document, variables, context).toPromise());
}

/** For what may be large: browsers let only 64 kB outlive a page, and refuse to send more that way. */
export async function mutateLarge<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Answer<Data>> {
  return toAnswer(await client.mutation<Data, Variables>(document, variables).toPromise());
}

function toAnswer<Data>(result: { readonly data?: Data; readonly error?: CombinedError }): Answer<Data> {
  if (result.data !== undefined && result.data !== null && !result.error) return { type: 'data', data: result.data };
  return {
    type: 'failed',
    message: explain(result.error),
    forbidden: result.error !== undefined && hasCode(result.error, 'FORBIDDEN'),
    ...codeOf(result.error),
  };
}

function explain(error: CombinedError | undefined): string {
  if (!error || error.networkError) return words.frame.unreachable;
  return error.graphQLErrors[0]?.message ?? words.frame.wentWrong;
}

function codeOf(error: CombinedError | undefined): { code?: string } {
  const code = error?.graphQLErrors[0]?.extensions.code;
  return typeof code === 'string' ? { code } : {};
}

function hasCode(error: CombinedError, code: string): boolean {
  return error.graphQLErrors.some((one) => one.extensions.code === code);
}
