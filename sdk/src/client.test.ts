import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { startTestServer, type TestServer } from '../test/test-server.ts';
import { createOracleClient, type OracleClientOptions } from './client.ts';
import { RevokeTokenDocument, ViewerDocument } from './generated/documents.ts';
import type { AgentConfig, JsonValue, OracleError, UpdateAgentConfigResult, UserPage } from './index.ts';

const token = 'oa_super-secret-token';
const config = {
  __typename: 'AgentConfig',
  maxIterations: 15,
  softWarningPercent: 70,
  tokenBudget: 50_000,
  tokenWarningPercent: 80,
  timeoutSeconds: 120,
  maxToolCallsPerTurn: 5,
  maxParallelTools: 3,
  version: 1,
} as const;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server[Symbol.asyncDispose]());

function connect(options: Partial<OracleClientOptions> = {}) {
  return createOracleClient({ url: server.url, token, ...options });
}

function answerData(data: JsonValue) {
  server.answer(() => ({ body: { data } }));
}

describe('requests', () => {
  it('reach the endpoint from the address and from the endpoint itself', async () => {
    answerData({ agentConfig: config });

    await connect().agentConfig.get();
    await connect({ url: `${server.url}/graphql` }).agentConfig.get();

    expect(server.requests.map(({ path }) => path)).toEqual(['/graphql', '/graphql']);
  });

  it('carry the token in the header only', async () => {
    answerData({ agentConfig: config });

    expect(await connect().agentConfig.get('user-1')).toEqual(config);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(server.requests[0]?.path).not.toContain(token);
    expect(server.requests[0]?.variables).toEqual({ userId: 'user-1' });
  });

  it('ask a token function every time', async () => {
    answerData({ viewer: {} });
    let count = 0;
    const oracle = connect({ token: async () => `token-${++count}` });

    await oracle.viewer();
    await oracle.viewer();

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('go through the fetch they are given', async () => {
    const urls: unknown[] = [];
    const oracle = connect({
      fetch: async (input) => {
        urls.push(input);
        return Response.json({ data: { revokeToken: true } });
      },
    });

    expect(await oracle.tokens.revoke('t')).toBe(true);
    expect(urls).toEqual([`${server.url}/graphql`]);
  });

  it('can be any typed document', async () => {
    answerData({ revokeToken: false });

    const { revokeToken } = await connect().request(RevokeTokenDocument, { id: 'x' });

    expectTypeOf(revokeToken).toEqualTypeOf<boolean>();
    expect(revokeToken).toBe(false);
  });

  it('may omit variables only where none are needed', () => {
    const { request } = connect();

    expectTypeOf(request<{ a: 1 }, { id?: string }>)
      .parameter(1)
      .toEqualTypeOf<{ id?: string } | undefined>();
    expectTypeOf(request<{ a: 1 }, { id: string }>)
      .parameter(1)
      .toEqualTypeOf<{ id: string }>();
  });
});

describe('expected failures', () => {
  it('are values that must be told apart before use', async () => {
    const problem = { field: 'maxIterations', message: 'Max iterations must be between 1 and 50; you sent 0.' };
    answerData({ updateAgentConfig: { __typename: 'InvalidAgentConfig', message: 'Not saved.', problems: [problem] } });

    const result = await connect().agentConfig.update({ maxIterations: 0 });

    expect(describeResult(result)).toBe(problem.message);
    expectTypeOf(result.__typename).toEqualTypeOf<'AgentConfig' | 'InvalidAgentConfig' | 'AgentConfigConflict'>();
    expectTypeOf<UpdateAgentConfigResult>().not.toHaveProperty('maxIterations');
    expectTypeOf<Extract<UpdateAgentConfigResult, { __typename: 'AgentConfig' }>>().toExtend<AgentConfig>();
  });

  it('leave a remainder that is not never when one is forgotten', () => {
    type Handled = 'AgentConfig' | 'InvalidAgentConfig';
    type Forgotten = Exclude<UpdateAgentConfigResult, { __typename: Handled }>;

    expectTypeOf<Forgotten>().not.toBeNever();
    expectTypeOf<Exclude<Forgotten, { __typename: 'AgentConfigConflict' }>>().toBeNever();
  });

  it('of a user who does not exist are null', async () => {
    answerData({ user: null });

    expect(await connect().users.get('nobody')).toBeNull();
  });
});

describe('errors', () => {
  it.each([
    ['UNAUTHENTICATED', 401, 'UNAUTHENTICATED'],
    ['FORBIDDEN', 200, 'FORBIDDEN'],
    ['NOT_FOUND', 200, 'NOT_FOUND'],
    ['BAD_USER_INPUT', 400, 'BAD_USER_INPUT'],
    ['GRAPHQL_VALIDATION_FAILED', 400, 'BAD_USER_INPUT'],
    ['INTERNAL_SERVER_ERROR', 500, 'SERVER_ERROR'],
    [undefined, 200, 'SERVER_ERROR'],
    [undefined, 400, 'BAD_USER_INPUT'],
  ])('with code %s and status %i are %s', async (code, status, expected) => {
    const errors = [{ message: 'First.', extensions: { code } }, { message: 'Second.' }];
    server.answer(() => ({ status, body: { errors } }));

    expect(await failureOf(connect().viewer())).toMatchObject({
      code: expected,
      status,
      messages: ['First.', 'Second.'],
      message: 'First. Second.',
    });
  });

  it.each([
    [200, 'BAD_RESPONSE'],
    [401, 'UNAUTHENTICATED'],
    [502, 'SERVER_ERROR'],
    [504, 'TIMEOUT'],
  ])('stand for a page that is not an answer (status %i)', async (status, code) => {
    server.answer(() => ({ status, body: '<html>proxy</html>' }));

    expect(await failureOf(connect().viewer())).toMatchObject({ code, status });
  });

  it('say NETWORK when nobody listens', async () => {
    const { url } = server;
    await server[Symbol.asyncDispose]();

    const failure = await failureOf(connect({ url }).viewer());

    expect(failure).toMatchObject({ code: 'NETWORK', status: undefined });
    expect(failure.message).toMatch(/Could not reach http:.*ECONNREFUSED/);
  });

  it('say TIMEOUT when the answer takes too long', async () => {
    server.answer(() => new Promise(() => {}));

    expect(await failureOf(connect({ timeoutMs: 50 }).viewer())).toMatchObject({ code: 'TIMEOUT' });
  });

  it('are the reason of the signal when the caller gives up', async () => {
    server.answer(() => new Promise(() => {}));
    const controller = new AbortController();
    const pending = connect().request(ViewerDocument, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('changed my mind')), 20);

    await expect(pending).rejects.toThrow('changed my mind');
    await expect(connect().viewer({ signal: controller.signal })).rejects.toThrow('changed my mind');
  });

  it.each<[string, Partial<OracleClientOptions>]>([
    ['an echoing server', {}],
    ['a failing fetch', { fetch: () => Promise.reject(new Error(`header Bearer ${token}`)) }],
    ['a token that no header can carry', { token: `${token}\n` }],
    ['a failing token function', { token: () => Promise.reject(new Error(`cannot refresh ${token}`)) }],
  ])('never show the token: %s', async (_case, options) => {
    server.answer(() => ({ status: 401, body: { errors: [{ message: `Bad token ${token}` }] } }));

    const failure = await failureOf(connect(options).viewer());

    const shown = [failure.message, failure.stack, ...failure.messages, JSON.stringify(failure), failure.cause];
    expect(shown.join('\n')).not.toContain(token);
  });
});

describe('users', () => {
  it('are walked page by page, asking only as far as is read', async () => {
    server.answer(({ variables: { after } }) => ({ body: { data: { users: page(Number(after ?? 0)) } } }));
    const names: string[] = [];

    for await (const { name } of connect().users.all({ first: 2, search: 'x' })) {
      names.push(name);
      if (names.length === 4) break;
    }

    expect(names).toEqual(['0', '1', '2', '3']);
    expect(server.requests.map(({ variables }) => variables)).toEqual([
      { first: 2, search: 'x', after: null },
      { first: 2, search: 'x', after: '2' },
    ]);
  });

  it('end with the last page', async () => {
    server.answer(({ variables: { after } }) => ({ body: { data: { users: page(Number(after ?? 0)) } } }));

    expect(await Array.fromAsync(connect().users.all(), ({ name }) => name)).toEqual(['0', '1', '2', '3', '4', '5']);
  });
});

function describeResult(result: UpdateAgentConfigResult): string {
  switch (result.__typename) {
    case 'AgentConfig':
      return `${result.maxIterations} turns`;
    case 'InvalidAgentConfig':
      return result.problems.map(({ message }) => message).join(' ');
    case 'AgentConfigConflict':
      return `now at version ${result.current.version}`;
    default:
      return result satisfies never;
  }
}

function page(start: number): UserPage {
  const names = [start, start + 1].map(String);
  const summary = {
    __typename: 'User',
    email: 'x@example.com',
    role: 'USER',
    createdAt: '2026-11-16T00:00:00Z',
  } as const;
  return {
    __typename: 'UserConnection',
    totalCount: 6,
    edges: names.map((name) => ({ __typename: 'UserEdge', cursor: name, node: { ...summary, id: name, name } })),
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage: start < 4,
      hasPreviousPage: start > 0,
      startCursor: String(start),
      endCursor: String(start + 2),
    },
  };
}

async function failureOf(promise: Promise<unknown>): Promise<OracleError> {
  const failure: unknown = await promise.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  expect(failure).toMatchObject({ name: 'OracleError' });
  return failure as OracleError;
}
