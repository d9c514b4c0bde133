import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../kit/model-replies.ts';
import { chunksOf } from '../oracle/kit/chunks.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { librarianSaid, personWithNotes, savedExchange, scriptBoth, searchFor } from './librarian-kit.ts';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit();
});
afterAll(() => kit.stop());

describe('delegate_librarian', () => {
  it('lets the Librarian look things up by itself; its calls are shown as its own and are not saved as the oracle’s', async () => {
    const user = await personWithNotes(kit, 2);
    const scripts = scriptBoth(
      kit,
      [
        calling([{ name: 'delegate_librarian', arguments: { task: 'Find out about herons.' } }]),
        reply.text('At dawn.'),
      ],
      [
        calling([{ name: 'vault_read', arguments: { path: 'birds/bird-01.md' } }]),
        reply.text('Herons: see birds/bird-01.md.'),
      ],
    );

    const told = await kit.ask(user);

    const [first] = scripts.librarian();
    const offered = first?.body.tools?.map((tool) => tool.function.name) ?? [];
    expect(offered).toContain('vault_read');
    expect(offered).not.toContain('vault_write');
    expect(offered).not.toContain('delegate_librarian');
    expect(
      told.chunks.flatMap((chunk) => ('callId' in chunk ? [[chunk.__typename, chunk.name, chunk.agent]] : [])),
    ).toEqual([
      ['ToolCallChunk', 'delegate_librarian', null],
      ['ToolCallChunk', 'delegate_librarian', null],
      ['ToolCallChunk', 'vault_read', 'librarian'],
      ['ToolCallChunk', 'vault_read', 'librarian'],
      ['ToolResultChunk', 'vault_read', 'librarian'],
      ['ToolResultChunk', 'delegate_librarian', null],
    ]);
    expect(librarianSaid(told.chunks)).toEqual([
      'The Librarian begins with a task.',
      'The Librarian goes on: turn 2 of 5.',
      'The Librarian has finished its task.',
    ]);
    expect(told.of('SourceChunk').map(({ path, agent }) => [path, agent])).toEqual([['birds/bird-01.md', null]]);
    expect((await savedExchange(user, told.conversationId))?.toolCalls.map(({ name }) => name)).toEqual([
      'delegate_librarian',
    ]);
    expect(told.ending.saved.toolCalls).toBe(1);
    expect(told.ending.usage.totalTokens).toBe(4 * 30);
  });

  it('ends after five turns, with an answer from what it has', async () => {
    const user = await personWithNotes(kit, 6);
    const read = (number: number) => calling([{ name: 'vault_read', arguments: { path: `birds/bird-0${number}.md` } }]);
    const scripts = scriptBoth(
      kit,
      [calling([{ name: 'delegate_librarian', arguments: { task: 'Everything.' } }]), reply.text('Done.')],
      [read(1), read(2), read(3), read(4), reply.text('This is all.'), read(6)],
    );

    const told = await kit.ask(user);

    expect(scripts.librarian()).toHaveLength(5);
    expect(scripts.librarian().at(-1)?.body.tools).toBeUndefined();
    expect(told.of('ToolResultChunk').at(-1)?.result).toMatchObject({ summary: 'This is all.' });
  });

  it('tells the model when nothing came of it', async () => {
    const user = await personWithNotes(kit, 1);
    scriptBoth(
      kit,
      [calling([{ name: 'delegate_librarian', arguments: { task: 'Everything.' } }]), reply.text('Done.')],
      [reply.error(400, { message: 'No.' })],
    );

    const told = await kit.ask(user);

    expect(told.reason).toBe('COMPLETED');
    expect(told.of('ToolResultChunk')[0]).toMatchObject({
      ok: false,
      error: expect.stringContaining('could not finish'),
    });
  });
});

describe('without a language model', () => {
  it('the Librarian picks out the passages that fit', async () => {
    const user = await personWithNotes(kit, 12, 'offline');
    scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], []);

    const told = await kit.ask(user, { question: 'Who was at pond 07?' });

    expect(told.of('ToolResultChunk')[0]?.result).toMatchObject({
      summary: expect.stringMatching(/without a language model.*pond 07.*birds\/bird-07\.md/s),
    });
  });

  it('the offline oracle still tells what a big folder holds', async () => {
    const user = await personWithNotes(kit, 12, 'offline');
    scriptBoth(kit, [calling([{ name: 'vault_list', arguments: { folder: 'birds' } }]), reply.text('Twelve.')], []);

    const told = await kit.ask(user, { question: 'What is there?' });

    expect(librarianSaid(told.chunks)[0]).toBe('The Librarian reads 12 files of vault_list.');
    expect(chunksOf(told.chunks, 'ToolResultChunk')[0]?.result).toMatchObject({
      sources: expect.arrayContaining([{ path: 'birds/bird-12.md' }]),
    });
  });
});
