import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logged } from '../events/kit/logged.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { messagesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { librarianSaid, personWithNotes, savedExchange, scriptBoth, searchFor, storedText } from './librarian-kit.ts';

const summary = 'Herons come at dawn: birds/bird-01.md to birds/bird-12.md.';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit();
});
afterAll(() => kit.stop());

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
    expect(await logged(user, told.runId, 'librarian.*')).toEqual([
      '1 librarian.progress INFO',
      '1 librarian.progress INFO',
    ]);
    expect(await logged(user, told.runId, 'agent.turn.*')).toEqual([
      '1 agent.turn.start DEBUG',
      'librarian: 1 agent.turn.start DEBUG',
      'librarian: 1 agent.turn.end DEBUG',
      '1 agent.turn.end DEBUG',
      '2 agent.turn.start DEBUG',
      '2 agent.turn.end DEBUG',
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
