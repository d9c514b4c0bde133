import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKit } from '../../api/test/kit/kit.ts';
import { overWebSocket } from '../../api/test/kit/live.ts';
import { createTestDatabase, type TestDatabase } from '../../api/test/kit/test-database.ts';
import { type Chat, newestRun, openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, eventually, setLimits, startConsoleKit } from './console-kit.ts';

let database: TestDatabase;
let kit: ConsoleKit;
beforeAll(async () => {
  database = await createTestDatabase();
  kit = await startConsoleKit({ database, pace: 2 });
});
afterAll(async () => {
  await kit.stop();
  await database.drop();
});

async function askFresh(model: string, limits: Record<string, number> = {}): Promise<Chat> {
  const person = await kit.newUser();
  if (Object.keys(limits).length > 0) await setLimits(person, limits);
  const chat = await openChat(kit, person);
  await useModel(chat, model);
  await chat.ask('What is there to find?');
  return chat;
}

describe('the card of an ending', () => {
  it('COMPLETED: the numbers, and nothing to mend', async () => {
    const chat = await askFresh('simulated/answer');
    const card = await chat.ended('COMPLETED');

    expect(await card.textContent()).toMatch(/^Complete1 turn · [\d,]+ tokens · /);
    expect(await card.getByRole('button').count()).toBe(0);
  });

  it('MAX_ITERATIONS: after a warning two turns ahead, with what was saved and what can be done', async () => {
    const chat = await askFresh('simulated/busy', { maxIterations: 10 });
    const card = await chat.ended('MAX_ITERATIONS');

    expect(await card.textContent()).toContain('Stopped: all turns used10 turns of 10');
    expect(await card.textContent()).toMatch(/Saved: [\d,]+ characters, 10 tool calls/);
    expect(await card.getByRole('button').allTextContents()).toEqual([
      ' Continue with 10 more turns',
      ' Answer now',
      ' Branch',
    ]);
    expect(await card.getByRole('link').textContent()).toContain('Change my limits');
    const said = (await chat.page.locator('[data-participant=oracle]').last().textContent()) ?? '';
    expect(said).toContain('Approaching iteration limit (7/10)');
    // At the start of turn 8: between the search of turn 7 and that of turn 8.
    expect(said.indexOf('topic 7')).toBeLessThan(said.indexOf('Approaching iteration limit'));
    expect(said.indexOf('Approaching iteration limit')).toBeLessThan(said.indexOf('topic 8'));
  });

  it('counts the sources that are listed, each once however often it was found', async () => {
    const person = await kit.newUser();
    await person.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
      input: { path: 'simulated.md', body: '# A simulated topic\n\nEvery simulated topic, 1, 2 and 3.' },
    });
    await setLimits(person, { maxIterations: 3 });
    const chat = await openChat(kit, person);
    await useModel(chat, 'simulated/busy');
    await chat.ask('What is there to find?');
    const card = await chat.ended('MAX_ITERATIONS');
    const listed = chat.page.getByRole('button', { name: /^Source \d+/ });

    expect(await listed.count()).toBe(1);
    expect(await card.textContent()).toMatch(/3 tool calls, 1 source(?!s)/);
    await chat.page.getByRole('link', { name: 'See the run' }).click();
    await chat.ended('MAX_ITERATIONS');
    expect(await chat.card.textContent()).toMatch(/3 tool calls, 1 source(?!s)/);
  });

  it('TOKEN_BUDGET', async () => {
    const chat = await askFresh('simulated/burn', { tokenBudget: 20_000 });
    const card = await chat.ended('TOKEN_BUDGET');

    expect(await card.textContent()).toMatch(/token budget is used up.*tokens of 20,000/);
  });

  it('TIMEOUT: with its warning at four fifths of the time', async () => {
    const chat = await askFresh('simulated/slow', { timeoutSeconds: 10 });
    await chat.page.locator('[data-meter=time]').waitFor();
    const card = await chat.ended('TIMEOUT');

    expect(await card.textContent()).toMatch(/out of time.*10 s of 10 s/);
    await chat.page.locator('[data-system-type=LIMIT_WARNING]').waitFor();
  });

  it('NO_PROGRESS: names what was repeated', async () => {
    const chat = await askFresh('simulated/loop');
    const card = await chat.ended('NO_PROGRESS');

    expect(await card.textContent()).toContain('Stopped: no progress');
    expect(await card.getByRole('button', { name: 'Answer now' }).count()).toBe(1);
    await chat.page.locator('[data-system-type=NO_PROGRESS][data-severity=ERROR]').waitFor();
  });

  it('ERROR_LIMIT: with the failed calls in sight', async () => {
    const chat = await askFresh('simulated/errors');
    await chat.ended('ERROR_LIMIT');

    const failed = chat.page.locator('[data-status=FAILED]');
    expect(await failed.count()).toBe(3);
    await failed.first().getByText('Failed').waitFor();
    await failed.first().locator('summary').click();
    await failed.first().getByText('Error', { exact: true }).waitFor();
  });

  it('MODEL_ERROR: what was written before the failure stays', async () => {
    const chat = await askFresh('simulated/failing');
    const card = await chat.ended('MODEL_ERROR');

    expect(await card.textContent()).toContain('Stopped: the model failed');
    await chat.page.getByText('This answer begins well').waitFor();
    await chat.page.getByText('Something went wrong:').waitFor();
  });

  it('CANCELLED: by Escape, at once, and said so in every tab', async () => {
    const person = await kit.newUser();
    const chat = await openChat(kit, person);
    await useModel(chat, 'simulated/slow');
    await chat.ask('How slow can you be?');
    await chat.page.getByText('Slowly').waitFor();
    const other = await chat.page.context().newPage();
    await other.goto(chat.page.url());
    await other.getByText('Slowly').waitFor();

    await chat.page.keyboard.press('Escape');
    const card = await chat.ended('CANCELLED');

    expect(await card.textContent()).toContain('Stopped on request');
    await other.locator('[data-ending=CANCELLED]').waitFor();
    await eventually(async () => (await newestRun(person))?.status).toBe('ENDED');
  });

  it('INTERRUPTED: a server that was stopped leaves a truthful end', async () => {
    const person = await kit.newUser();
    const second = await startKit({ database, pace: 2 });
    const live = overWebSocket(
      { url: second.url, token: person.token },
      'subscription { oracleQuery(input: { question: "Are you there?", model: "simulated/slow" }) { __typename } }',
    );
    await live.next();
    live.stop();
    await second.stop();
    const run = await newestRun(person);
    const chat = await openChat(kit, person, `/c/${run?.conversationId}`);
    const card = await chat.ended('INTERRUPTED');

    expect(await card.textContent()).toContain('Interrupted: the server stopped');
  });
});

describe('tool calls', () => {
  it('that were asked for together stand together, those past the limit as not run, with one word from the system', async () => {
    const chat = await askFresh('simulated/fan-out');
    await chat.ended('COMPLETED');

    expect(await chat.page.getByRole('list', { name: '24 tool calls' }).count()).toBe(1);
    expect(await chat.page.locator('[data-status=NOT_RUN]').count()).toBeGreaterThan(0);
    expect(await chat.page.locator('[data-system-type=TOOL_LIMIT]').count()).toBe(1);
  });
});

describe('going on', () => {
  it('continues with ten more turns after a limit, and answers at once from what was found', async () => {
    const chat = await askFresh('simulated/busy', { maxIterations: 3 });
    const card = await chat.ended('MAX_ITERATIONS');

    await card.getByRole('button', { name: 'Continue with 10 more turns' }).click();
    await chat.page.getByText('Go on from there.').waitFor();
    const second = await chat.ended('MAX_ITERATIONS');
    expect(await second.textContent()).toContain('10 turns of 10');
    await second.getByRole('button', { name: 'Answer now' }).click();
    await chat.page.getByText('Answer now, from what was found.').waitFor();
    await eventually(() => chat.page.getByRole('article').count()).toBe(3);
    await eventually(() => chat.page.locator('article >> nth=-1 >> [data-ending]').count()).toBe(1);
  });
});
