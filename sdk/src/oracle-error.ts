import type { RunId } from './generated/ids.ts';
import type { FieldProblemFragment } from './generated/types.ts';

/** What went wrong, in one word; each is worth a different reaction. */
export type OracleErrorCode =
  /** No token, or one that is wrong, expired or revoked. */
  | 'UNAUTHENTICATED'
  /** Signed in, but not allowed. */
  | 'FORBIDDEN'
  /** Nothing there, or nothing the caller may see. */
  | 'NOT_FOUND'
  /** The request itself is wrong; sending it again will not help. */
  | 'BAD_USER_INPUT'
  /** The conversation waits for another answer: `details.runId`. */
  | 'CONVERSATION_BUSY'
  /** Too many questions under way at once: at most `details.limit`. */
  | 'TOO_MANY_RUNS'
  /** The server is stopping, or its database is away; a moment later it may work. */
  | 'SERVICE_UNAVAILABLE'
  /** No answer: server down, name unknown, connection lost. */
  | 'NETWORK'
  /** No answer in time. */
  | 'TIMEOUT'
  /** An answer, but not one of this API: often a proxy, or the wrong address. */
  | 'BAD_RESPONSE'
  /** The server failed; trying again later may help. */
  | 'SERVER_ERROR'
  /** The client was closed. */
  | 'CLOSED';

/** A GraphQL error as the server sends it. */
export interface ServerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: unknown } & OracleErrorDetails;
}

/** What the server says beyond the code. */
export interface OracleErrorDetails {
  /** With `CONVERSATION_BUSY`: the run that is under way. */
  readonly runId?: RunId;
  /** With `TOO_MANY_RUNS`: how many are allowed. */
  readonly limit?: number;
  /** With `BAD_USER_INPUT`, where fields are to blame: each of them. */
  readonly problems?: readonly FieldProblem[];
}

/** What is wrong with one field of an input. */
export type FieldProblem = Omit<FieldProblemFragment, '__typename'>;

/** A failure of transport or access. Failures a person can fix are not thrown: they are members of result unions. */
export class OracleError extends Error {
  override readonly name = 'OracleError';
  readonly code: OracleErrorCode;
  /** The HTTP status, when there was an HTTP answer. */
  readonly status: number | undefined;
  /** All messages of the server, or the only one. */
  readonly messages: readonly string[];
  /** What the server says beyond the code. */
  readonly details: OracleErrorDetails;

  constructor(
    code: OracleErrorCode,
    messages: string | readonly string[],
    status?: number,
    details: OracleErrorDetails = {},
  ) {
    const list = typeof messages === 'string' ? [messages] : messages;
    super(list.join(' '));
    this.code = code;
    this.status = status;
    this.messages = list;
    this.details = details;
  }
}

/** The error that a server's list of errors amounts to; the first that names a known code decides. */
export function serverFailure(
  errors: readonly ServerError[],
  redact: (text: string) => string,
  status?: number,
): OracleError {
  const decisive = errors.find(({ extensions }) => codeOf(extensions?.code) !== undefined);
  const { code, runId, limit, problems } = decisive?.extensions ?? {};
  const messages = errors.map(({ message }) => redact(message));
  return new OracleError(codeOf(code) ?? codeOfStatus(status), messages, status, {
    ...(runId !== undefined && { runId }),
    ...(limit !== undefined && { limit }),
    ...(problems !== undefined && { problems }),
  });
}

/** What a status means when the body does not say. */
export function codeOfStatus(status: number | undefined): OracleErrorCode {
  switch (status) {
    case 401:
      return 'UNAUTHENTICATED';
    case 403:
      return 'FORBIDDEN';
    case 404:
      return 'NOT_FOUND';
    case 408:
    case 504:
      return 'TIMEOUT';
    default:
      return status !== undefined && status >= 400 && status < 500 && status !== 429
        ? 'BAD_USER_INPUT'
        : 'SERVER_ERROR';
  }
}

/** Whether a value looks like a list of GraphQL errors. */
export function isServerErrors(value: unknown): value is readonly ServerError[] {
  return Array.isArray(value) && value.length > 0 && value.every(isServerError);
}

function isServerError(value: unknown): value is ServerError {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function codeOf(code: unknown): OracleErrorCode | undefined {
  const others: Readonly<Record<string, OracleErrorCode>> = {
    BAD_REQUEST: 'BAD_USER_INPUT',
    GRAPHQL_PARSE_FAILED: 'BAD_USER_INPUT',
    GRAPHQL_VALIDATION_FAILED: 'BAD_USER_INPUT',
    INTERNAL_SERVER_ERROR: 'SERVER_ERROR',
  };
  const known = serverCodes.find((one) => one === code);
  return known ?? (typeof code === 'string' && Object.hasOwn(others, code) ? others[code] : undefined);
}

const serverCodes = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONVERSATION_BUSY',
  'TOO_MANY_RUNS',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly OracleErrorCode[];
