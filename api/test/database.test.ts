import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from './kit/test-database.ts';

let place: TestDatabase;
beforeEach(async () => {
  place = await createTestDatabase();
});
afterEach(() => place.drop());

describe('a database that is closed', () => {
  it('has answered what was asked before, also on connections that were just being made', async () => {
    const database = await openDatabase(place.url);
    await database.ping();
    const numbers = Array.from({ length: 40 }, (_, index) => ({ number: index }));
    const asked = numbers.flatMap(({ number }) => [
      database.fork().execute('select ?::int as number', [number]),
      database.sql.query('number', 'select $1::int as number', [number]),
    ]);
    await database.close();

    expect(await Promise.all(asked)).toEqual(numbers.flatMap((row) => [[row], [row]]));
  });

  it('need not have been used', async () => {
    const database = await openDatabase(place.url);

    await expect(database.close()).resolves.toBeUndefined();
  });

  it('refuses what is asked later', async () => {
    const database = await openDatabase(place.url);
    await database.ping();
    await database.close();

    await expect(database.fork().execute('select 1')).rejects.toThrow();
    await expect(database.sql.query('one', 'select 1', [])).rejects.toThrow();
  });
});
