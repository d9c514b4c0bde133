import { AllowedModelsDocument } from '@oracle-agent/sdk/documents';
import { createRoot } from 'solid-js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeGraphqlClient } from './graphql-client.ts';
import { createLoad } from './load.ts';

afterEach(() => void vi.unstubAllGlobals());

function answerWith(allowedModels: readonly string[]): Response {
  const body = { data: { organisationConfig: { version: 1, allowedModels } } };
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

describe('what was loaded', () => {
  it('is asked for again when it has changed, also while it is being loaded', async () => {
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    let asked = 0;
    vi.stubGlobal('fetch', () => answers[asked++]?.promise);
    const client = makeGraphqlClient(() => undefined);
    const load = createRoot(() => createLoad(client, AllowedModelsDocument, () => ({})));
    await expect.poll(() => asked).toBe(1);

    const reloaded = load.reload();
    answers[0]?.resolve(answerWith([]));
    answers[1]?.resolve(answerWith(['offline']));
    await reloaded;

    expect(load.state()).toMatchObject({ data: { organisationConfig: { allowedModels: ['offline'] } } });
  });
});
