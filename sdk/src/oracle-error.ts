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
  /** No answer: server down, name unknown, connection lost. */
  | 'NETWORK'
  /** No answer in time. */
  | 'TIMEOUT'
  /** An answer, but not one of this API: often a proxy, or the wrong address. */
  | 'BAD_RESPONSE'
  /** The server failed; trying again later may help. */
  | 'SERVER_ERROR';

/** A GraphQL error as the server sends it. */
export interface ServerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: unknown };
}

/** A failure of transport or access. Failures a person can fix are not thrown: they are members of result unions. */
export class OracleError extends Error {
  override readonly name = 'OracleError';
  readonly code: OracleErrorCode;
  /** The HTTP status, when there was an HTTP answer. */
  readonly status: number | undefined;
  /** All messages of the server, or the only one. */
  readonly messages: readonly string[];

  constructor(code: OracleErrorCode, messages: string | readonly string[], status?: number) {
    const list = typeof messages === 'string' ? [messages] : messages;
    super(list.join(' '));
    this.code = code;
    this.status = status;
    this.messages = list;
  }
}

/** The error that a server's list of errors amounts to; the first that names a known code decides. */
export function serverFailure(
  errors: readonly ServerError[],
  redact: (text: string) => string,
  status?: number,
): OracleError {
  const code = errors.map(({ extensions }) => knownCodes.get(extensions?.code)).find((known) => known !== undefined);
  const messages = errors.map(({ message }) => redact(message));
  return new OracleError(code ?? codeOfStatus(status), messages, status);
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

const knownCodes: ReadonlyMap<unknown, OracleErrorCode> = new Map<unknown, OracleErrorCode>([
  ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
  ['FORBIDDEN', 'FORBIDDEN'],
  ['NOT_FOUND', 'NOT_FOUND'],
  ['BAD_USER_INPUT', 'BAD_USER_INPUT'],
  ['BAD_REQUEST', 'BAD_USER_INPUT'],
  ['GRAPHQL_PARSE_FAILED', 'BAD_USER_INPUT'],
  ['GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'],
  ['INTERNAL_SERVER_ERROR', 'SERVER_ERROR'],
]);
