import { APICallError, EmptyResponseBodyError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { ModelFailure, type ModelFailureCode, type ModelMessage } from './model-port.ts';
import { quotable } from './quotable.ts';
import { retryAfterMs } from './retry-after.ts';

/** A failed attempt: what the person is told, and whether trying again at once may help. */
export interface FailedAttempt {
  readonly failure: ModelFailure;
  readonly tryAgain: boolean;
  readonly retryAfterMs: number | undefined;
}

/** Translates whatever a provider threw or reported. The prompt is needed to make sure that it is not quoted. */
export function explainFailure(thrown: unknown, prompt: readonly ModelMessage[]): FailedAttempt {
  if (thrown instanceof AdvisedFailure) return withAdvice(explainFailure(thrown.cause, prompt), thrown.advice);
  if (thrown instanceof ModelFailure) return { failure: thrown, tryAgain: false, retryAfterMs: undefined };
  const facts = factsOf(thrown);
  const { code, sentence, lasting } = judge(facts);
  const quote = code === 'UNAUTHORISED' ? undefined : quotable(facts.message, prompt);
  const message = quote === undefined ? sentence : `${sentence} It says: “${quote}”`;
  const mayPass = !lasting && (code === 'RATE_LIMITED' || code === 'UNAVAILABLE');
  return {
    failure: new ModelFailure(code, message, mayPass || code === 'BAD_RESPONSE'),
    tryAgain: mayPass,
    retryAfterMs: retryAfterMs(facts.headers, Date.now()),
  };
}

/** A failure about which more is known than the provider said. */
export class AdvisedFailure extends Error {
  override name = 'AdvisedFailure';

  constructor(
    override readonly cause: unknown,
    /** Sentences for the person. */
    readonly advice: string,
  ) {
    super('A failure with advice.');
  }
}

function withAdvice(failed: FailedAttempt, advice: string): FailedAttempt {
  const { code, message, retryable } = failed.failure;
  return { ...failed, failure: new ModelFailure(code, `${message} ${advice}`, retryable) };
}

const unreadableAnswers = [JSONParseError, TypeValidationError, EmptyResponseBodyError];

interface Facts {
  readonly status: number | undefined;
  /** The provider's own names for what happened, such as insufficient_quota. */
  readonly names: string;
  readonly message: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** True when it never was an answer of the provider: no connection, or a broken one. */
  readonly broken: boolean;
  readonly answered: boolean;
  readonly unreadable: boolean;
}

interface Judgement {
  readonly code: ModelFailureCode;
  readonly sentence: string;
  /** Waiting does not help. */
  readonly lasting?: boolean;
}

function judge({ status, names, message, broken, answered, unreadable }: Facts): Judgement {
  const shown = status === undefined ? '' : ` (${status})`;
  if (unreadable) return { code: 'BAD_RESPONSE', sentence: 'The model provider sent something unreadable.' };
  if (broken) return { code: 'UNAVAILABLE', sentence: 'The connection to the model provider failed.' };
  if (!answered) return { code: 'MODEL_ERROR', sentence: 'The model failed in a way that was not foreseen.' };
  if (status === 401 || status === 403 || /authentication|permission|invalid_api_key/.test(names)) {
    return { code: 'UNAUTHORISED', sentence: `The model provider refused the key of this server${shown}.` };
  }
  if (status === 402 || /insufficient_quota|billing|credit/.test(names)) {
    return { code: 'RATE_LIMITED', sentence: `The account at the model provider is used up${shown}.`, lasting: true };
  }
  if (status === 429 || /rate_limit/.test(names)) {
    return { code: 'RATE_LIMITED', sentence: `The model provider is limiting requests${shown}.` };
  }
  if (status === 413 || /context_length|request_too_large/.test(names) || isTooLong(message)) {
    return { code: 'CONTEXT_TOO_LONG', sentence: `The conversation is too long for this model${shown}.` };
  }
  if ((status ?? 0) >= 500 || status === 408 || /overloaded|server_error|api_error|unavailable/.test(names)) {
    return { code: 'UNAVAILABLE', sentence: `The model provider is in trouble${shown}.` };
  }
  if (status === 404) return { code: 'MODEL_ERROR', sentence: 'The model provider does not know this model (404).' };
  return { code: 'MODEL_ERROR', sentence: `The model provider refused the request${shown}.` };
}

function isTooLong(message = ''): boolean {
  return /context (length|window|size)|prompt is too long|input is too long|token limit|too many tokens/i.test(message);
}

function factsOf(thrown: unknown): Facts {
  const record = asRecord(thrown);
  const payload = innermostError(record.data);
  const code = payload.code ?? record.code;
  const status = [record.statusCode, code].map(Number).find((number) => number >= 400 && number < 600);
  const answered = status !== undefined || Object.keys(payload).length > 0 || record.type !== undefined;
  const unreadable = unreadableAnswers.some((kind) => kind.isInstance(thrown)) || thrown instanceof RangeError;
  return {
    status,
    names: [code, payload.type, record.type].filter((name) => typeof name === 'string').join(' '),
    message: firstText(payload.message, answered && !APICallError.isInstance(thrown) ? record.message : undefined),
    headers: headersOf(record.responseHeaders),
    broken: !answered && !unreadable && isNetworkTrouble(thrown),
    answered,
    unreadable,
  };
}

function isNetworkTrouble(thrown: unknown): boolean {
  if (APICallError.isInstance(thrown)) return true;
  return thrown instanceof TypeError && /terminated|fetch failed|network|socket/i.test(thrown.message);
}

/** Payloads come as { error: { message, type, code } } or as the inner object itself. */
function innermostError(data: unknown): Readonly<Record<string, unknown>> {
  const record = asRecord(data);
  const inner = record.error;
  return typeof inner === 'string' ? { ...record, message: inner } : inner === undefined ? record : asRecord(inner);
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  const pairs = Object.entries(asRecord(headers)).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return Object.fromEntries(pairs);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value, ...errorFields(value) } : {};
}

/** The fields of an Error are not enumerable. */
function errorFields(value: object): Readonly<Record<string, unknown>> {
  return value instanceof Error ? { message: value.message } : {};
}
