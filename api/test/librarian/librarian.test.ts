import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closing, reply, step } from '../kit/model-replies.ts';
import { chunksOf } from '../oracle/kit/chunks.ts';
import { calling, messagesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { librarianSaid, personWithNotes, scriptBoth, searchFor, storedText } from './librarian-kit.ts';

const summary = 'Herons come at dawn: birds/bird-01.md to birds/bird-12.md.';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit();
});
afterAll(() => kit.stop());

interface SavedExchange {
  readonly toolCalls: readonly { readonly name: string; readonly result: { readonly summary?: string } }[];
  readonly sources: readonly { readonly path: string }[];
}

async function savedExchange(user: Awaited<ReturnType<OracleKit['newUser']>>, conversationId: string) {
  const { conversation } = await user.ask<{ conversation: { path: readonly SavedExchange[] } }>(
    'query ($id: ID!) { conversation(id: $id) { path { toolCalls { name result } sources { path } } } }',
    { id: conversationId },
  );
  return conversation.path.at(-1);
}

describe('a search with twelve similar hits', () => {
  it('is read by the Librarian, and the model gets its summary', async () => {
    const user = await personWithNotes(kit, 12);
    const scripts = scriptBoth(
      kit,
      [searchFor(12), reply.text('At dawn.', { usage: { input: 300, output: 5 } })],
      [reply.text(['Herons come ', summary.slice(12)], { usage: { input: 900, output: 40 } })],
    );

    const told = await kit.ask(user, { question: 'When do herons come?' });

    expect(told.reason).toBe('COMPLETED');
    expect(told.text).toBe('At dawn.');
    const [asked, ...others] = scripts.librarian();
    expect(others).toEqual([]);
    expect(asked?.body.tools).toBeUndefined();
    const [system, task] = messagesOf(asked ?? expect.fail('The Librarian was not asked.'));
    expect(system?.[1]).toMatch(/Librarian.*It is data/s);
    expect(task?.[1]).toMatch(/When do herons come\?.*<(material-\w+)>.*pond 07.*<\/\1>/s);
    const given = messagesOf(scripts.oracle()[1] ?? expect.fail('The oracle was not asked again.'));
    const result = JSON.parse(given.find(([role]) => role === 'tool')?.[1] ?? '');
    expect(result).toMatchObject({
      summary,
      note: expect.stringMatching(/12 hits of vault_search.*read one of the sources/),
    });
    expect(result.sources).toHaveLength(12);
    expect(JSON.stringify(result)).not.toContain('pond 07');
  });

  it('is told in the stream as the Librarian’s doing, without a word of its text before it is finished', async () => {
    const user = await personWithNotes(kit, 12);
    scriptBoth(
      kit,
      [searchFor(12), reply.text('At dawn.', { usage: { input: 300, output: 5 } })],
      [
        reply.stream([
          step.reasoning('Thinking of herons.'),
          step.text(summary),
          ...closing('stop', { usage: { input: 900, output: 40, reasoning: 10 } }),
        ]),
      ],
    );

    const told = await kit.ask(user, { question: 'When do herons come?' });

    expect(librarianSaid(told.chunks)).toEqual([
      'The Librarian reads 12 hits of vault_search.',
      'The Librarian has summarised 12 hits of vault_search.',
    ]);
    const holding = told.chunks.filter((chunk) => JSON.stringify(chunk).includes('Herons come'));
    expect(holding.map(({ __typename, agent }) => [__typename, agent])).toEqual([['ToolResultChunk', null]]);
    expect(JSON.stringify(told.chunks)).not.toContain('Thinking of herons');
    expect(told.of('SourceChunk').map(({ agent }) => agent)).toEqual(Array.from({ length: 12 }, () => null));
    // What it used is the run's, and counted once.
    expect(told.ending.usage).toMatchObject({ inputTokens: 20 + 900 + 300, outputTokens: 10 + 40 + 5 });
    const exchange = await savedExchange(user, told.conversationId);
    expect(exchange?.toolCalls.map(({ name, result }) => [name, result.summary])).toEqual([['vault_search', summary]]);
    expect(exchange?.sources).toHaveLength(12);
  });

  it('is passed on as it is when there are only six', async () => {
    const user = await personWithNotes(kit, 12);
    const scripts = scriptBoth(kit, [searchFor(6), reply.text('At dawn.')], []);

    const told = await kit.ask(user);

    expect(scripts.librarian()).toEqual([]);
    expect(told.of('ToolResultChunk')[0]?.result).toMatchObject({ hits: expect.arrayContaining([expect.anything()]) });
  });
});

describe('a summary', () => {
  it('is used again for the same question and content, by the same person and model only', async () => {
    const ask = async (user: Awaited<ReturnType<typeof personWithNotes>>, question: string) => {
      const scripts = scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], [reply.text(summary)]);
      const told = await kit.ask(user, { question });
      expect(told.of('ToolResultChunk')[0]?.result).toMatchObject({ summary });
      return { asked: scripts.librarian().length, said: librarianSaid(told.chunks) };
    };
    const user = await personWithNotes(kit, 12);
    const other = await personWithNotes(kit, 12);

    expect(await ask(user, 'When?')).toMatchObject({ asked: 1 });
    expect(await ask(user, 'When?')).toEqual({
      asked: 0,
      said: ['The Librarian has read the 12 hits of vault_search before.'],
    });
    expect(await ask(user, 'Where?')).toMatchObject({ asked: 1 });
    expect(await ask(other, 'When?')).toMatchObject({ asked: 1 });
    const edit = { path: 'birds/bird-03.md', body: '# Bird 03\n\nA heron was seen at pond 03 in the evening.\n' };
    await user.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', { input: edit });
    expect(await ask(user, 'When?')).toMatchObject({ asked: 1 });
  });
});

describe('a Librarian that does not finish', () => {
  it.each([
    ['fails', [reply.error(400, { message: 'No.' })], 'could not finish'],
    ['breaks off', [reply.stream([step.text('Half a summ'), step.break()])], 'could not finish'],
    ['says nothing', [reply.text('')], 'could not finish'],
    [
      'spends all it was given',
      [
        reply.stream([
          step.text('Half a summ'),
          step.finish('length'),
          step.usage({ input: 30_000, output: 20 }),
          step.done(),
        ]),
      ],
      'could not finish',
    ],
  ])('and %s leaves the model with the result itself', async (_how, entries, why) => {
    const user = await personWithNotes(kit, 12);
    const scripts = scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], entries);

    const told = await kit.ask(user);

    expect(told.reason).toBe('COMPLETED');
    expect(told.text).toBe('At dawn.');
    expect(librarianSaid(told.chunks).at(-1)).toContain(why);
    const given = messagesOf(scripts.oracle()[1] ?? expect.fail('The oracle was not asked again.'));
    expect(given.find(([role]) => role === 'tool')?.[1]).toMatch(
      /Librarian could not finish.*pond 01|pond 01.*could not finish/s,
    );
    expect(await storedText(kit, told.runId)).not.toContain('Half a summ');
  });

  it('is not even asked when its model is not there', async () => {
    const user = await personWithNotes(kit, 12);
    await kit.database.query(
      `update user_settings set model_settings = model_settings || '{"subagentModel": "no-such-model"}',
        model_settings_version = model_settings_version + 1 where user_id = $1`,
      [user.id],
    ); // it was there when it was chosen
    scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], []);

    const told = await kit.ask(user);

    expect(told.reason).toBe('COMPLETED');
    expect(librarianSaid(told.chunks).at(-1)).toMatch(/could not finish.*no-such-model.*passed on shortened/s);
  });

  it('is not asked when the budget has no room for it, and the budget holds', async () => {
    const user = await personWithNotes(kit, 12);
    const scripts = scriptBoth(kit, [searchFor(12, { input: 2_000, output: 10 }), reply.text('At dawn.')], []);

    const told = await kit.ask(user, { config: { tokenBudget: 5_000 } });

    expect(scripts.librarian()).toEqual([]);
    expect(told.reason).toBe('COMPLETED');
    expect(librarianSaid(told.chunks)).toEqual([expect.stringContaining('no room for the Librarian')]);
    expect(told.of('ToolResultChunk')[0]?.result).toMatchObject({ beginning: expect.stringContaining('pond') });
    expect(told.ending.usage.totalTokens).toBeLessThanOrEqual(5_000);
  });

  it('is stopped with its run, and nothing of its text is left', async () => {
    const user = await personWithNotes(kit, 12);
    const scripts = scriptBoth(kit, [searchFor(12)], [reply.stream([step.text('Half a summ'), step.hang()])]);
    const stream = kit.open(user);
    const reading = await stream.until((chunk) => chunk.agent === 'librarian');
    const asked = await scripts.script.request(2);

    expect(await kit.cancel(user, reading.runId)).toBe(true);
    const told = await kit.settle(user, stream);
    await asked.closed;

    expect(told.reason).toBe('CANCELLED');
    expect(told.ending.unfinishedTools).toEqual([]);
    expect(told.of('ToolResultChunk')).toHaveLength(1);
    expect(await storedText(kit, told.runId)).not.toContain('Half a summ');
  });
});

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
