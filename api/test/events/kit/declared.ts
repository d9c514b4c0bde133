import { expect } from 'vitest';
import type { TestUser } from '../../kit/kit.ts';
import type { SubscriberFolder } from './subscriber-folder.ts';

/** Subscribers of one test on a server that runs already. */
export class Declared {
  #ids: readonly string[] = [];

  constructor(private readonly folder: SubscriberFolder) {}

  /** Resolves when the server has read the files. */
  async declare(user: TestUser, subscribers: Readonly<Record<string, string>>): Promise<void> {
    for (const [id, lines] of Object.entries(subscribers)) this.folder.declare(id, lines);
    this.#ids = Object.keys(subscribers);
    await expect.poll(() => knownIds(user), { timeout: 5_000 }).toEqual(expect.arrayContaining([...this.#ids]));
  }

  /** Resolves when the server has forgotten them. */
  async remove(user: TestUser): Promise<void> {
    const gone = this.#ids;
    this.#ids = [];
    for (const id of gone) this.folder.remove(id);
    await expect
      .poll(async () => (await knownIds(user)).filter((id) => gone.includes(id)), { timeout: 5_000 })
      .toEqual([]);
  }
}

async function knownIds(user: TestUser): Promise<readonly string[]> {
  const { notificationSubscribers } = await user.ask<{ notificationSubscribers: { id: string }[] }>(
    '{ notificationSubscribers { id } }',
  );
  return notificationSubscribers.map(({ id }) => id);
}
