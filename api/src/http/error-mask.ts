import { ConnectionException } from '@mikro-orm/core';
import { GraphQLError } from 'graphql';
import type { Logger } from '../logger.ts';
import { RepeatedWarning } from '../repeated-warning.ts';

/** Errors that we made for the caller pass; anything else is logged and answered without its insides. */
export function createErrorMask(log: Logger): (error: unknown) => GraphQLError {
  const databaseAway = new RepeatedWarning(log, 'the database is away');
  return (error) => {
    const cause = rootCause(error);
    if (cause instanceof GraphQLError) return withCode(error as GraphQLError);
    const place = error instanceof GraphQLError ? { path: error.path ?? null, nodes: error.nodes ?? null } : {};
    if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded') {
      // While a query was read: what is carried out is not deep enough for that, and would have a place.
      return new GraphQLError('The query is too deep to be read.', { extensions: { code: 'BAD_USER_INPUT' } });
    }
    if (isDatabaseAway(cause)) {
      const { code, message: reason } = cause as NodeJS.ErrnoException; // about connections, never about rows
      databaseAway.tell({ code, reason });
      const message = 'The database cannot be reached right now; try again in a moment.';
      return new GraphQLError(message, { ...place, extensions: { code: 'SERVICE_UNAVAILABLE' } });
    }
    const stack = cause instanceof Error ? cause.stack : undefined;
    log.error({ stack, path: error instanceof GraphQLError ? error.path : undefined }, 'a request failed');
    const message = 'Something went wrong on our side; it has been logged.';
    return new GraphQLError(message, { ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  };
}

/** What GraphQL itself complains about, such as a text where a number should be, has no code yet. */
function withCode(error: GraphQLError): GraphQLError {
  error.extensions['code'] ??= 'BAD_USER_INPUT';
  return error;
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** How the driver says it, with or without the ORM around it; it gives these no code. */
const lostConnection = /connection (terminated|timeout)|timeout exceeded|query read timeout|does not answer/i;

/**
 * Refused, dropped or timed-out connections, a server that starts, stops or recovers (SQLSTATE 57P0x), that has no
 * connection, disk or memory left (53xxx), or is only read for now (25006).
 */
function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionException) return true;
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|08|53|57P0|25006)/.test(code)) return true;
  return lostConnection.test(error.message);
}
