import { describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling } from '../oracle/kit/oracle-kit.ts';
import { setAccess, startHttpEverything, stdioEverything, stdioOdd } from './kit/mcp-kit.ts';
import { type McpRunKit, useMcpRuns } from './kit/mcp-run-kit.ts';

let kit: McpRunKit;
let user: TestUser;
useMcpRuns((started) => {
  ({ kit, user } = started);
});

describe('a run with an MCP server', () => {
  it('over standard input and output calls its tools under a prefix', async () => {
    await kit.have({ ...stdioEverything, name: 'every' }, user);

    const { told, offered, result, heard } = await kit.call(user, 'every_echo', { message: 'hello' });

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'So be it.' });
    expect(offered).toEqual(expect.arrayContaining(['vault_search', 'every_echo', 'every_get_sum']));
    expect(result).toMatchObject({ ok: true, name: 'every_echo', result: 'Echo: hello' });
    expect(heard).toBe('Echo: hello');
    expect(told.of('SystemChunk')).toEqual([]);
  });

  it('over HTTP does so too, and again after the server was started anew', async () => {
    const remote = await startHttpEverything();
    try {
      await kit.have({ transport: 'HTTP', name: 'web', url: remote.url }, user);
      expect((await kit.call(user, 'web_get_sum', { a: 2, b: 40 })).result).toMatchObject({
        ok: true,
        result: expect.stringContaining('42'),
      });

      await remote.stop();
      expect((await kit.call(user, 'web_echo', { message: 'anybody?' })).result).toMatchObject({
        ok: false,
        error: expect.stringContaining('The MCP server web is not available.'),
      });
      await remote.start();
      await expect.poll(async () => await kit.offeredTo(user)).toContain('web_echo');
      expect((await kit.call(user, 'web_echo', { message: 'again' })).result).toMatchObject({
        ok: true,
        result: 'Echo: again',
      });
    } finally {
      await remote.stop();
    }
  });

  it('that was restarted between two calls is asked again in a new session', async () => {
    const remote = await startHttpEverything();
    try {
      await kit.have({ transport: 'HTTP', name: 'web', url: remote.url }, user);
      await remote.stop();
      await remote.start();

      expect((await kit.call(user, 'web_echo', { message: 'still me' })).result).toMatchObject({
        result: 'Echo: still me',
      });
    } finally {
      await remote.stop();
    }
  });

  it('gets structured results as they are, and names pictures and resources instead of showing them', async () => {
    await kit.have({ ...stdioEverything, name: 'every' }, user);

    expect((await kit.call(user, 'every_get_structured_content', { location: 'Chicago' })).result?.result).toEqual({
      temperature: 36,
      conditions: 'Light rain / drizzle',
      humidity: 82,
    });
    const picture = (await kit.call(user, 'every_get_tiny_image', {})).heard;
    expect(picture).toMatch(/\[image, image\/png, [\d,]+ bytes: not shown\]/);
    expect(picture?.length).toBeLessThan(500);
    expect((await kit.call(user, 'every_get_resource_links', { count: 2 })).heard).toContain('[resource ');
  });

  it('is told what a tool gave as its error, and what arguments are missing', async () => {
    await kit.have({ ...stdioOdd().input, name: 'odd' }, user);

    expect((await kit.call(user, 'odd_fail', { why: 'of the rain' })).result).toMatchObject({
      ok: false,
      error: 'It failed because of the rain.',
    });
    expect((await kit.call(user, 'odd_fail', {})).result).toMatchObject({
      ok: false,
      error: 'odd_fail was not run, because of its arguments. "why" is missing.',
    });
    expect((await kit.call(user, 'odd_fail', [1])).result).toMatchObject({
      ok: false,
      error: expect.stringContaining('must be a JSON object'),
    });
  });

  it('keeps names apart that would be the same', async () => {
    await kit.have({ ...stdioOdd().input, name: 'odd' }, user);

    expect((await kit.call(user, 'odd_read_thing', {})).heard).toBe('with a dash');
    expect((await kit.call(user, 'odd_read_thing_2', {})).heard).toBe('with an underscore');
  });
});

describe('a call that takes too long', () => {
  it('ends at the timeout of the server, and the tool is told', async () => {
    const odd = stdioOdd();
    await kit.have({ ...odd.input, name: 'odd', timeoutSeconds: 1 }, user);

    const { result, told } = await kit.call(user, 'odd_hang', { word: 'one' });

    expect(result).toMatchObject({ ok: false, error: 'odd_hang did not answer within 1 s.' });
    expect(told.reason).toBe('COMPLETED');
    await expect.poll(() => odd.notes()).toContain('cancelled one');
  });

  it('is cancelled with its run', async () => {
    const odd = stdioOdd();
    await kit.have({ ...odd.input, name: 'odd' }, user);
    kit.script(calling([{ id: 'it', name: 'odd_hang', arguments: { word: 'two' } }]));
    const stream = kit.open(user);
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolCallChunk' && chunk.status === 'RUNNING');
    await expect.poll(() => odd.notes()).toContain('hanging two');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.ending).toMatchObject({
      reason: 'CANCELLED',
      unfinishedTools: [{ callId: 'it', name: 'odd_hang', fate: 'STOPPED' }],
    });
    await expect.poll(() => odd.notes()).toContain('cancelled two');
  });
});

describe('people', () => {
  it('see only the tools of servers that they may use', async () => {
    const other = await kit.newUser();
    const server = await kit.have({ ...stdioOdd().input, name: 'odd' }, user);

    expect(await kit.offeredTo(user)).toContain('odd_moody');
    expect(await kit.offeredTo(other)).not.toContain('odd_moody');
    const { result } = await kit.call(other, 'odd_moody', {});
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('There is no tool called "odd_moody"') });

    await setAccess(kit.admin, server.id, { everyone: true });
    expect(await kit.offeredTo(other)).toContain('odd_moody');
  });

  it('lose a tool in the middle of a run when it is taken from them', async () => {
    const server = await kit.have({ ...stdioOdd().input, name: 'odd' }, user);
    kit.script(
      calling([{ id: 'one', name: 'odd_moody', arguments: {} }]),
      async () => {
        await setAccess(kit.admin, server.id, {});
        return calling([{ id: 'two', name: 'odd_moody', arguments: {} }]);
      },
      reply.text('Gone.'),
    );

    expect((await kit.ask(user)).of('ToolResultChunk')).toMatchObject([
      { ok: true },
      { ok: false, error: 'odd_moody is no longer available to you.' },
    ]);
  });
});
