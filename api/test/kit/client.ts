import type { GraphQLFormattedError } from 'graphql';

export interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** A plain GraphQL client: what a person with curl would do. */
export interface Client {
  /** The whole answer, errors included. */
  query<Data = Record<string, unknown>>(query: string, variables?: Record<string, unknown>): Promise<Answer<Data>>;
  /** The data; an error fails the test. */
  ask<Data = Record<string, unknown>>(query: string, variables?: Record<string, unknown>): Promise<Data>;
}

export function createClient(url: string, token: string | undefined): Client {
  async function query<Data>(text: string, variables: Record<string, unknown> = {}): Promise<Answer<Data>> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ query: text, variables }),
    });
    return (await response.json()) as Answer<Data>;
  }
  return {
    query,
    async ask<Data>(text: string, variables?: Record<string, unknown>) {
      const { data, errors } = await query<Data>(text, variables);
      if (errors || !data) throw new Error(`The query failed: ${JSON.stringify(errors)}`);
      return data;
    },
  };
}

/** The codes of the errors, for answers that should be refused. */
export function codesOf({ errors }: Answer<unknown>): readonly unknown[] {
  return (errors ?? []).map((error) => error.extensions?.['code']);
}
