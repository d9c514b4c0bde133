import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { overSse } from './kit/live.ts';
import { reply } from './kit/model-replies.ts';
import { type ModelServer, startModelServer } from './kit/model-server.ts';

interface Model {
  readonly id: string;
  readonly provider: string;
  readonly group: string;
  readonly title: string;
  readonly description: string | null;
  readonly window: number;
  readonly tools: boolean | null;
  readonly thinking: boolean | null;
  readonly available: boolean;
  readonly unavailableReason: string | null;
  readonly isPattern: boolean;
  readonly isDefault: boolean;
}

const fields =
  'id provider group title description window tools thinking available unavailableReason isPattern isDefault';

async function models(user: Pick<TestUser, 'ask'>, args = ''): Promise<readonly Model[]> {
  return (await user.ask<{ models: Model[] }>(`{ models${args} { ${fields} } }`)).models;
}

const choose = (user: TestUser, oracleModel: string) =>
  user.ask('mutation ($input: UpdateModelSettingsInput!) { updateModelSettings(input: $input) { __typename } }', {
    input: { oracleModel },
  });

/** As if it had been chosen while its provider was still switched on. */
async function chosenBefore(kit: Kit, user: TestUser, oracleModel: string): Promise<void> {
  await choose(user, 'offline');
  await kit.database.query('update user_settings set model_settings = $1 where user_id = $2', [
    JSON.stringify({ oracleModel }),
    user.id,
  ]);
}

const asking = 'subscription ($input: OracleQueryInput!) { oracleQuery(input: $input) { __typename } }';

describe('without a key', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.stop());

  it('the built-in models are there, each with a sentence on what it shows', async () => {
    const all = await models(kit.admin);
    const builtIn = all.filter(({ provider }) => provider === 'built-in');

    expect(all[0]).toMatchObject({ id: 'offline', group: 'OFFLINE', window: 64_000, tools: true, isDefault: true });
    expect(builtIn.filter(({ group }) => group === 'SIMULATED').length).toBeGreaterThan(10);
    expect(builtIn.filter(({ description, available }) => !available || !description?.endsWith('.'))).toEqual([]);
    expect(all.find(({ id }) => id === 'simulated/think')?.thinking).toBe(true);
  });

  it('each provider is listed as not available, with what it needs', async () => {
    const missing = await models(kit.admin, '(available: false)');

    expect(missing.map(({ id, unavailableReason, isPattern }) => [id, unavailableReason, isPattern])).toEqual([
      ['openrouter/<vendor>/<id>', 'Not switched on: the server needs OPENROUTER_API_KEY.', true],
      ['anthropic/<id>', 'Not switched on: the server needs ANTHROPIC_API_KEY.', true],
      ['openai/<id>', 'Not switched on: the server needs ORACLE_OPENAI_BASE_URL.', true],
    ]);
  });

  it('can be searched and narrowed down', async () => {
    const found = await models(kit.admin, '(search: "SIMULATED tool  call", group: SIMULATED)');

    expect(found.map(({ id }) => id)).toContain('simulated/loop');
    expect(found.map(({ id }) => id)).not.toContain('simulated/long');
    expect(await models(kit.admin, '(search: "no such thing")')).toEqual([]);
  });

  it('a person’s own choice is the default for them alone, even when it cannot be asked', async () => {
    const [one, other] = [await kit.newUser(), await kit.newUser()];
    await choose(one, 'simulated/think');
    await chosenBefore(kit, other, 'openrouter/vendor/some');
    const defaults = async (user: TestUser) => (await models(user)).filter(({ isDefault }) => isDefault);

    expect(await defaults(one)).toMatchObject([{ id: 'simulated/think', available: true }]);
    expect(await defaults(other)).toMatchObject([
      {
        id: 'openrouter/vendor/some',
        available: false,
        unavailableReason: expect.stringContaining('OPENROUTER_API_KEY'),
      },
    ]);
    expect(await defaults(kit.admin)).toMatchObject([{ id: 'offline' }]);
  });

  it.each([
    ['simulated/lop', 'Did you mean simulated/loop'],
    ['openrouter/vendor/some', 'the server needs OPENROUTER_API_KEY'],
  ])('a question to %s, chosen or asked for, is refused with what there is', async (model, words) => {
    const user = await kit.newUser();
    await chosenBefore(kit, user, model);
    const refusal = async (input: object) => {
      const live = overSse({ url: kit.url, token: user.token }, asking, { input: { question: 'Hello?', ...input } });
      const answer = await live.next();
      await live.stop();
      return answer?.errors?.[0]?.message;
    };

    expect(await refusal({ model })).toContain(words);
    expect(await refusal({ model })).toContain('Available: offline');
    expect(await refusal({})).toContain(words);
    expect(await refusal({})).toContain('It is the model of your settings');
  });
});

describe('with providers', () => {
  let kit: Kit;
  let openRouter: ModelServer;
  let anthropic: ModelServer;
  let local: ModelServer;
  let now = 0;
  beforeAll(async () => {
    [openRouter, anthropic, local] = await Promise.all([startModelServer(), startModelServer(), startModelServer()]);
    kit = await startKit({
      providers: {
        OPENROUTER_API_KEY: 'key-of-openrouter',
        ANTHROPIC_API_KEY: 'key-of-anthropic',
        ORACLE_OPENAI_BASE_URL: local.url,
      },
      models: {
        addresses: { openRouter: openRouter.url, anthropic: anthropic.url },
        listPatience: { timeoutMs: 10_000, freshMs: 1_000, failedMs: 1_000, now: () => now },
      },
    });
  });
  beforeEach(() => {
    now += 1_000; // every test asks anew
  });
  afterAll(async () => {
    await kit.stop();
    await Promise.all([openRouter, anthropic, local].map((server) => server.stop()));
  });

  const one = (all: readonly Model[], id: string) => all.find((model) => model.id === id);

  it('their own lists are shown, each asked with its key', async () => {
    openRouter.list(
      reply.json({
        data: [
          { id: 'vendor/wise', name: 'Wise', context_length: 300_000, supported_parameters: ['tools', 'reasoning'] },
          { id: 'vendor/plain:free', name: 'Plain', supported_parameters: [] },
        ],
      }),
    );
    anthropic.list(reply.json({ data: [{ id: 'claude-some-1', display_name: 'Claude Some' }] }));
    local.list(reply.json({ data: [{ id: 'qwen3:8b', max_model_len: 40_960 }] }));
    const all = await models(kit.admin, '(group: PROVIDER)');

    expect(all.map(({ id }) => id)).toEqual([
      'openrouter/vendor/wise',
      'openrouter/vendor/plain:free',
      'anthropic/claude-some-1',
      'openai/qwen3:8b',
    ]);
    expect(one(all, 'openrouter/vendor/wise')).toMatchObject({ window: 300_000, tools: true, thinking: true });
    expect(one(all, 'openrouter/vendor/plain:free')).toMatchObject({ window: 64_000, tools: false, thinking: false });
    expect(one(all, 'anthropic/claude-some-1')).toMatchObject({ title: 'Claude Some', window: 200_000, tools: true });
    expect(one(all, 'openai/qwen3:8b')).toMatchObject({ window: 40_960, tools: null, available: true });
    expect(openRouter.listRequests.at(-1)?.headers.authorization).toBe('Bearer key-of-openrouter');
    expect(anthropic.listRequests.at(-1)?.headers['x-api-key']).toBe('key-of-anthropic');
    expect(local.listRequests.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('one that is down is listed as not available, and the others are as they are', async () => {
    openRouter.list(reply.error(500, { message: 'Your key is key-of-openrouter.' }));
    anthropic.list(reply.error(401));
    local.list(reply.json({ data: [{ id: 'small' }] }));
    const fresh = await startKit({
      database: kit.database,
      providers: { OPENROUTER_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', ORACLE_OPENAI_BASE_URL: local.url },
      models: { addresses: { openRouter: openRouter.url, anthropic: anthropic.url } },
    });
    const all = await models(kit.as(kit.admin.token), '(group: PROVIDER)');
    const anew = await models(fresh.admin, '(group: PROVIDER)');
    await fresh.stop();

    expect(all.length).toBeGreaterThan(0); // what was known before still stands
    expect(anew.map(({ id, available }) => [id, available])).toEqual([
      ['openrouter/<vendor>/<id>', false],
      ['anthropic/<id>', false],
      ['openai/small', true],
    ]);
    expect(anew[0]?.unavailableReason).toContain('it is in trouble (500)');
    expect(anew[1]?.unavailableReason).toContain('it refused the key of this server (401)');
    expect(JSON.stringify(anew)).not.toContain('key-of');
  });

  it('a chosen model that its provider does not list is marked, with near ones', async () => {
    local.list(reply.json({ data: [{ id: 'qwen3:8b' }, { id: 'llama3.3' }] }));
    const user = await kit.newUser();
    await choose(user, 'openai/qwen3:80b');

    expect((await models(user)).find(({ isDefault }) => isDefault)).toMatchObject({
      id: 'openai/qwen3:80b',
      available: false,
      unavailableReason: expect.stringContaining('Did you mean openai/qwen3:8b'),
    });
  });

  it('a model that its provider refuses as unknown ends the run with near ones', async () => {
    local.list(reply.json({ data: [{ id: 'qwen3:8b' }, { id: 'llama3.3' }] }));
    local.otherwise(reply.error(404, { message: 'model "llama3.4" not found' }));
    const live = overSse<{ chunk: { __typename: string; message?: string } }>(
      { url: kit.url, token: kit.admin.token },
      `subscription { chunk: oracleQuery(input: { question: "Hello?", model: "openai/llama3.4" }) {
        __typename ... on ErrorChunk { message } } }`,
    );
    const { data } = await live.until(({ chunk }) => chunk.__typename === 'ErrorChunk');
    await live.until(({ chunk }) => chunk.__typename === 'DoneChunk');
    await live.stop();

    expect(data.chunk.message).toContain('does not know this model (404)');
    expect(data.chunk.message).toContain('Did you mean openai/llama3.3');
  });

  it('a window that a provider reports is the window of its runs', async () => {
    local.list(reply.json({ data: [{ id: 'tiny', max_model_len: 4_321 }] }));
    local.otherwise(reply.text('Yes.', { usage: { input: 900, output: 5 } }));
    await models(kit.admin);
    const live = overSse<{ chunk: { __typename: string; windowSize?: number } }>(
      { url: kit.url, token: kit.admin.token },
      `subscription { chunk: oracleQuery(input: { question: "Hello?", model: "openai/tiny" }) {
        __typename ... on ContextChunk { windowSize } } }`,
    );
    const { data } = await live.until(({ chunk }) => chunk.__typename === 'ContextChunk');
    await live.until(({ chunk }) => chunk.__typename === 'DoneChunk');
    await live.stop();

    expect(data.chunk.windowSize).toBe(4_321);
  });
});
