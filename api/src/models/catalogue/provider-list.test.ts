import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../../../test/kit/model-replies.ts';
import { type ModelServer, startModelServer } from '../../../test/kit/model-server.ts';
import { ProviderList } from './provider-list.ts';

let server: ModelServer;
let now = 0;
beforeEach(async () => {
  server = await startModelServer();
  now = 0;
});
afterEach(() => server.stop());

const listOf = (...ids: string[]) => reply.json({ data: ids.map((id) => ({ id })) });

function providerList(timeoutMs = 5_000): ProviderList {
  const source = { url: `${server.url}/models`, headers: { authorization: 'Bearer a-key' } };
  return new ProviderList(source, { timeoutMs, freshMs: 1_000, failedMs: 100, now: () => now });
}

async function idsOf(list: ProviderList): Promise<readonly string[] | string> {
  const listing = await list.get();
  return listing.type === 'listed' ? [...listing.models.keys()] : listing.reason;
}

describe('a provider’s list', () => {
  it('is asked for once, with the key, however many want it, and again when it has aged', async () => {
    server.list(listOf('one'));
    const list = providerList();
    const first = await Promise.all([idsOf(list), idsOf(list), idsOf(list)]);
    server.list(listOf('one', 'two'));
    now = 999;
    const still = await idsOf(list);
    now = 1_000;
    const anew = await idsOf(list);

    expect(first).toEqual([['one'], ['one'], ['one']]);
    expect(still).toEqual(['one']);
    expect(anew).toEqual(['one', 'two']);
    expect(server.listRequests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-key', 'Bearer a-key']);
  });

  it.each([
    [401, 'it refused the key of this server (401)'],
    [404, 'it does not list its models (404)'],
    [503, 'it is in trouble (503)'],
  ])('that is refused with %i is a plain reason', async (status, reason) => {
    server.list(reply.error(status, { message: 'secret words' }));

    expect(await idsOf(providerList())).toBe(reason);
  });

  it('that is no list, no JSON, never comes or cannot be reached is a plain reason too', async () => {
    server.list(reply.json({ hello: 'world' }));
    expect(await idsOf(providerList())).toBe('it sent something that is no list of models');
    server.list([{ do: 'head', status: 200, headers: {} }]);
    expect(await idsOf(providerList())).toBe('it sent something unreadable');
    server.list(reply.hang());
    expect(await idsOf(providerList(20))).toBe('it did not answer within 1 s');
    server.list(reply.break());
    expect(await idsOf(providerList())).toBe('it cannot be reached');
  });

  it('is tried again soon after a failure, and a failure does not take away what was known', async () => {
    server.list(reply.error(500));
    const list = providerList();
    await list.get();
    now = 99;
    await list.get();
    expect(server.listRequests).toHaveLength(1);
    server.list(listOf('one'));
    now = 100;
    expect(await idsOf(list)).toEqual(['one']);
    server.list(reply.error(500));
    now = 5_000;
    expect(await idsOf(list)).toEqual(['one']);
    expect(server.listRequests).toHaveLength(3);
  });
});
