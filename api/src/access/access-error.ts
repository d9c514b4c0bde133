import { GraphQLError } from 'graphql';

/** The failures that are not part of any result: the code is for programs, the sentence for people. */

export function unauthenticated(message = 'Sign in first: send a valid token.'): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED' } });
}

export function forbidden(message = 'This is for administrators.'): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}

/** Also for what exists but belongs to somebody else: the two must not be told apart. */
export function notFound(what: string): GraphQLError {
  return new GraphQLError(`There is no such ${what}.`, { extensions: { code: 'NOT_FOUND' } });
}

/** The row, unless it went between being found and being changed: then it is as if it had not been found. */
export function present<Row>(row: Row | null | undefined, what: string): Row {
  if (row === null || row === undefined) throw notFound(what);
  return row;
}

/** Somebody was faster; `version` is the one that stands now. */
export function conflict(version: number): GraphQLError {
  const message = `These settings were changed meanwhile; they are at version ${version} now.`;
  return new GraphQLError(message, { extensions: { code: 'CONFLICT', version } });
}

export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}
