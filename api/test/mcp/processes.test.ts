import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../kit/model-replies.ts';
import { createServerPair, type ServerPair } from '../kit/server-pair.ts';
import { askOver } from '../oracle/kit/stream.ts';
import { add, approve, gone, isAlive, setAccess, show, stdioOdd, update } from './kit/mcp-kit.ts';

let servers: ServerPair;
beforeEach(async () => {
  servers = await createServerPair();
});
afterEach(() => servers.dispose());

const started = (notes: readonly string[]) =>
  notes.flatMap((line) => (line.startsWith('started ') ? Number(line.split(' ')[1]) : []));

describe('the process of an MCP server', () => {
  it('ends with ours, also one that is deaf to all requests and one that was started by a shell', async () => {
    const api = await servers.start();
    const polite = stdioOdd();
    const stubborn = stdioOdd({ ODD_STUBBORN: 'yes' });
    const within = stdioOdd({ ODD_STUBBORN: 'yes' });
    const shell = { command: 'sh', args: ['-c', '"$0" "$1"; true', within.input.command, ...within.input.args] };
    await add(api.user, { ...polite.input, name: 'polite' });
    await add(api.user, { ...stubborn.input, name: 'stubborn' });
    await add(api.user, { ...within.input, ...shell, name: 'within' });
    const pids = [polite, stubborn, within].map((server) => server.pid());
    expect(pids.map(isAlive)).toEqual([true, true, true]);

    expect(await api.end('SIGTERM')).toBe(0);
    for (const pid of pids) await gone(pid);
    expect(stubborn.notes()).toContain('will not go');
  });

  it('ends when ours is killed, because its input ends', async () => {
    const api = await servers.start();
    const odd = stdioOdd();
    await add(api.user, { ...odd.input, name: 'odd' });

    await api.end('SIGKILL');
    await gone(odd.pid());
  });
});

describe('two servers on one database', () => {
  it('each have a connection of their own, and hear of changes made on the other', async () => {
    const [one, other] = await Promise.all([servers.start(), servers.start()]);
    const odd = stdioOdd();
    const { id } = await add(one.user, { ...odd.input, name: 'odd' });
    await approve(one.user, id, [{ name: 'moody' }]);
    await setAccess(one.user, id, { everyone: true });
    servers.models.script(reply.toolCalls([{ id: 'it', name: 'odd_moody', arguments: {} }]), reply.text('Both can.'));
    const chunks = await askOver(other, {}).toEnd();
    expect(chunks).toContainEqual(expect.objectContaining({ __typename: 'ToolResultChunk', ok: true, result: 'fine' }));
    const pids = started(odd.notes());
    expect(pids).toHaveLength(2);

    await update(one.user, { id, enabled: false });
    for (const pid of pids) await gone(pid);
    expect(await show(other.user, id)).toMatchObject({ status: 'DISABLED' });
    servers.models.script(reply.text('Not any more.'));
    await askOver(other, {}).toEnd();
    expect(servers.models.requests.at(-1)?.body.tools?.map((tool) => tool.function.name)).not.toContain('odd_moody');
    await expect.poll(() => started(odd.notes()).every((pid) => !isAlive(pid))).toBe(true);
    expect(started(odd.notes())).toEqual(pids);
  });
});
