import { mayRefresh, readCredentials, type TokenSource } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { codeOfStatus, isServerErrors, OracleError, serverFailure } from './oracle-error.ts';
import type { TypedDocument } from './typed-document.ts';

/** What may accompany any request. */
export interface RequestOptions {
  /** Aborting it gives the request up; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Variables may be left out when an operation needs none. */
export type RequestArguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

/** Sends a query or mutation and answers with its data; anything else is thrown as an `OracleError`. */
export type Request = <Result, Variables>(
  document: TypedDocument<Result, Variables>,
  ...rest: RequestArguments<Variables>
) => Promise<Result>;

/** Where requests go, as whom, and by what. */
export interface Connection {
  readonly endpoint: Endpoint;
  readonly token: TokenSource;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** Requests over HTTP, one POST each. When a token function's token is refused, it is asked for another once. */
export function makeRequest(connection: Connection): Request {
  return async (document, ...[variables, options]) => {
    const body = JSON.stringify({ query: document, variables });
    try {
      return await send(connection, body, options?.signal, false);
    } catch (failure) {
      if (!mayRefresh(connection.token, failure)) throw failure;
      return send(connection, body, options?.signal, true);
    }
  };
}

async function send<Result>(
  connection: Connection,
  body: string,
  signal: AbortSignal | undefined,
  refused: boolean,
): Promise<Result> {
  signal?.throwIfAborted();
  const { authorization, redact } = await readCredentials(connection.token, refused);
  const deadline = AbortSignal.timeout(connection.timeoutMs);
  const init = {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...(authorization && { authorization }),
    },
    body,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  };

  try {
    const response = await (connection.fetch ?? fetch)(connection.endpoint.http, init);
    return readAnswer(response, await response.text(), redact);
  } catch (failure) {
    signal?.throwIfAborted();
    if (failure instanceof OracleError) throw failure;
    throw unreachable(connection, deadline.aborted, redact(describeFailure(failure)));
  }
}

/** The data of an answer; anything else is thrown. */
export function readAnswer<Result>(response: Response, body: string, redact: (text: string) => string): Result {
  const { status } = response;
  const answer = parseJson(body);
  if (isServerErrors(answer?.errors)) throw serverFailure(answer.errors, redact, status);
  if (response.ok && typeof answer?.data === 'object' && answer.data) return answer.data as Result;
  const code = response.ok ? 'BAD_RESPONSE' : codeOfStatus(status);
  throw new OracleError(code, `The answer (status ${status}) is not one of this API. Is the address right?`, status);
}

/** A GraphQL answer; undefined when the text is none. */
export function parseJson(text: string): { readonly data?: object | null; readonly errors?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreachable({ endpoint, timeoutMs }: Connection, late: boolean, reason: string): OracleError {
  return late
    ? new OracleError('TIMEOUT', `No answer from ${endpoint.label} within ${timeoutMs / 1000} s.`)
    : new OracleError('NETWORK', `Could not reach ${endpoint.label}: ${reason}`);
}

/** Node hides the reason in the cause: "fetch failed" alone helps nobody. */
export function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown failure';
  const { cause, message } = failure;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message;
}
