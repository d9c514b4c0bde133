import { AllowedModelsDocument } from '@oracle-agent/sdk/documents';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeGraphqlClient, query } from './graphql-client.ts';

afterEach(() => void vi.unstubAllGlobals());

function answerWith(allowedModels: readonly string[]): Response {
  const body = { data: { organisationConfig: { version: 1, allowedModels } } };
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

describe('a question', () => {
  it('gets an answer of its own, also while the same is under way', async () => {
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    let next = 0;
    vi.stubGlobal('fetch', () => answers[next++]?.promise);
    const client = makeGraphqlClient(() => undefined);
    const ask = () => query(client, AllowedModelsDocument, {});

    const [before, after] = [ask(), ask()];
    answers[0]?.resolve(answerWith([]));
    answers[1]?.resolve(answerWith(['offline']));

    expect(await before).toMatchObject({ data: { organisationConfig: { allowedModels: [] } } });
    expect(await after).toMatchObject({ data: { organisationConfig: { allowedModels: ['offline'] } } });
  });
});
