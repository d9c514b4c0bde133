import { raw } from '@mikro-orm/core';

const mostWords = 20;
const longestSearch = 1_000;

/** Restricts conversations to those of a person in whose title, or in one of whose questions, all the words begin. */
export function mentioning(userId: string, search: string): string {
  const words = search.slice(0, longestSearch).replaceAll('\0', ' ').toWellFormed().split(/\s+/).filter(Boolean);
  const prefixes = words.slice(0, mostWords).map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`);
  const values = [`'of ${userId}'`, prefixes.join(' & ')];
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
