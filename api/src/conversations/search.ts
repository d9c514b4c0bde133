import { raw } from '@mikro-orm/core';
import { wordBeginnings } from '../search/word-beginnings.ts';

/** Restricts conversations to those of a person in whose title, or in one of whose questions, all the words begin. */
export function mentioning(userId: string, search: string): string {
  const values = [`'of ${userId}'`, wordBeginnings(search)];
  return raw((alias) => `${alias}.id in (${found})`, values);
}

/** Whose it is is one of the words that the index holds: see the migration. Text without any word finds nothing. */
const found = `
  with wanted as materialized (
    select ?::tsquery && words as query from to_tsquery('simple', ?) as words where numnode(words) > 0
  )
  select c.id from conversations c, wanted where c.search @@ wanted.query
  union
  select e.conversation_id from exchanges e, wanted where e.search @@ wanted.query`;
