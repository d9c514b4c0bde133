import { createRequest, getOperationName, stringifyDocument, type Client as UrqlClient } from '@urql/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { UpdateAgentConfigDocument, UsersDocument, ViewerDocument } from './generated/documents.ts';
import type {
  UpdateAgentConfigMutation,
  UserSummaryFragment,
  UsersQuery,
  UsersQueryVariables,
} from './generated/types.ts';
import type { ResultOf, VariablesOf } from './typed-document.ts';

describe('typed documents', () => {
  it('know the types of their result and variables', () => {
    expectTypeOf<ResultOf<typeof UsersDocument>>().toEqualTypeOf<UsersQuery>();
    expectTypeOf<VariablesOf<typeof UsersDocument>>().toEqualTypeOf<UsersQueryVariables>();
  });

  it('are plain text with every fragment once', () => {
    expect(typeof UpdateAgentConfigDocument).toBe('string');
    expect(UpdateAgentConfigDocument.match(/fragment \w+ on AgentConfig\b/g)).toHaveLength(1);
  });

  it('are accepted by urql as they are', () => {
    const request = createRequest(ViewerDocument, {});

    expect(getOperationName(request.query)).toBe('Viewer');
    expect(stringifyDocument(request.query)).toContain('viewer');
  });

  it('give urql the types of result and variables', () => {
    const query = (client: UrqlClient) => client.query(UsersDocument, { first: 10 }).toPromise();
    const update = (client: UrqlClient) => client.mutation(UpdateAgentConfigDocument, { input: {} }).toPromise();
    type Queried = NonNullable<Awaited<ReturnType<typeof query>>['data']>;
    type Updated = NonNullable<Awaited<ReturnType<typeof update>>['data']>;

    expectTypeOf<Queried>().toEqualTypeOf<UsersQuery>();
    expectTypeOf<Updated>().toEqualTypeOf<UpdateAgentConfigMutation>();
    expectTypeOf<Queried['users']['edges'][number]['node']>().toExtend<UserSummaryFragment>();
    expectTypeOf<
      Parameters<typeof createRequest<UsersQuery, UsersQueryVariables>>[1]
    >().toEqualTypeOf<UsersQueryVariables>();
  });
});
