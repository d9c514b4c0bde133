import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { oracleQuery } from './kit/chunks.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

let kit: OracleKit;
let user: TestUser;
let holder: pg.Client;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
  kit.script().always(reply.text('Is anybody there?'));
  await kit.ask(user);
  holder = new pg.Client({ connectionString: kit.database.url });
  await holder.connect();
});
afterAll(() => kit.stop());

const endedUnseen = () =>
  user.ask('{ inbox { edges { node { kind message category } } } }').then((answer) => answer['inbox'] as unknown);

/** The server's side of the next request. */
function nextResponse(): Promise<ServerResponse> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const take = (message: unknown) => {
      diagnostics.unsubscribe(channel, take);
      resolve((message as { readonly response: ServerResponse }).response);
    };
    diagnostics.subscribe(channel, take);
  });
}

describe('a reader over server-sent events who leaves before the answer has begun', () => {
  it('counts as nobody: the run ends, and its person is told of it', async () => {
    await holder.query('begin');
    await holder.query('lock table conversations in access exclusive mode');
    const responding = nextResponse();
    const body = JSON.stringify({ query: oracleQuery, variables: { input: { question: 'Left already?' } } });
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'text/event-stream',
      authorization: `Bearer ${user.token}`,
    };
    const request = httpRequest(`${kit.url}/graphql`, { method: 'POST', headers }).on('error', () => undefined);
    request.end(body);
    const response = await responding;
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await holder.query(waiting)).rowCount === 0);
    request.destroy();
    await once(response, 'close');
    await holder.query('rollback');
    await holder.end();

    await expect
      .poll(endedUnseen)
      .toEqual({ edges: [{ node: { kind: 'RUN_ENDED', message: 'Left already?', category: 'COMPLETED' } }] });
  });
});
