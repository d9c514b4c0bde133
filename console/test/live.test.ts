import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../api/test/kit/kit.ts';
import { overSse } from '../../api/test/kit/live.ts';
import { expectAccessible } from './accessible.ts';
import { type ConsoleKit, startConsoleKit, tabTo } from './console-kit.ts';

const ask = `subscription ($question: String!) { oracleQuery(input: { question: $question, model: "simulated/slow" }) {
  __typename ... on StreamChunk { runId } } }`;

let kit: ConsoleKit;
const open: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  kit = await startConsoleKit({ pace: 2_000 });
});
afterAll(async () => {
  await Promise.all(open.map((answer) => answer.stop()));
  await kit.stop();
});

async function start(user: TestUser, question: string): Promise<string> {
  const answer = overSse<{ oracleQuery: { runId: string } }>({ url: kit.url, token: user.token }, ask, { question });
  open.push(answer);
  const { data } = await answer.until(({ oracleQuery }) => oracleQuery.runId !== '');
  return data.oracleQuery.runId;
}

const statusOf = async (id: string) =>
  (await kit.admin.ask<{ run: { status: string } }>('query ($id: ID!) { run(id: $id) { status } }', { id })).run.status;
const rowOf = (page: Page, question: string) => page.getByRole('listitem').filter({ hasText: question });
const confirm = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: /^Stop/ });

describe('the live wall', () => {
  it('shows what begins and drops what ends, with who, limits and which comes first', async () => {
    const person = await kit.newUser({ name: 'Wall Watcher' });
    const page = await kit.openAs(kit.admin, '/admin/live');
    await page.getByText('Nothing is running').waitFor();

    const id = await start(person, 'What takes so long?');
    const row = rowOf(page, 'What takes so long?');
    await row.getByRole('link', { name: 'Wall Watcher' }).waitFor();
    await row.getByText('simulated/slow').waitFor();
    await row.getByText(/^Time is up in/).waitFor();
    expect(await row.getByRole('meter').count()).toBe(3);
    await page.getByText('1 run', { exact: true }).waitFor();
    await kit.admin.ask('mutation ($id: ID!) { cancelRun(runId: $id) }', { id });
    await page.getByText('Nothing is running').waitFor();
  });

  it('says when each limit comes, and how many there are when not all are shown', async () => {
    const person = await kit.newUser();
    // Of a server that is alive and never heard of, so that nobody ends them.
    await kit.database.query(
      `with server as (insert into servers (id, heartbeat_at) values (gen_random_uuid(), now() + interval '1 hour') returning id),
       talks as (insert into conversations (id, user_id, title) select gen_random_uuid(), $1, 'Many' from generate_series(1, 105) returning id),
       asked as (insert into exchanges (id, conversation_id, run_id, question)
         select gen_random_uuid(), id, gen_random_uuid(), 'One of many' from talks returning *)
       insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, owner, started_at)
       select run_id, $1, conversation_id, asked.id, question, 'offline', 'default',
         '{"maxIterations": 15, "tokenBudget": 50000, "timeoutSeconds": 600}', server.id, now() from asked, server`,
      [person.id],
    );
    const page = await kit.openAs(kit.admin, '/admin/live');
    await page.getByText('100 of 105 are shown').waitFor();
    await page.getByText('105 runs', { exact: true }).waitFor();
    await rowOf(page, 'One of many')
      .first()
      .getByText(/^Time is up in/)
      .waitFor();
    await page.getByRole('link', { name: 'All in the list of runs' }).click();

    await page.getByText('1–50 of 105').waitFor();
    await kit.database.query('delete from conversations where user_id = $1', [person.id]);
  });

  it('stops one after asking, and says so', async () => {
    const person = await kit.newUser();
    const [gone, stays] = [await start(person, 'Stop this one'), await start(person, 'Not this one')];
    const page = await kit.openAs(kit.admin, '/admin/live');

    await page.getByRole('button', { name: 'Stop Stop this one' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Let them run' }).click();
    expect(await statusOf(gone)).toBe('RUNNING');
    await page.getByRole('button', { name: 'Stop Stop this one' }).click();
    await confirm(page).click();
    await page.getByText('1 run stopped.').waitFor();

    await rowOf(page, 'Stop this one').waitFor({ state: 'detached' });
    expect(await statusOf(gone)).toBe('ENDED');
    expect(await statusOf(stays)).toBe('RUNNING');
    await kit.admin.ask('mutation ($id: ID!) { cancelRun(runId: $id) }', { id: stays });
  });

  it('stops many: the selected ones, or all of a person, with the keyboard alone', async () => {
    const [ada, bob] = [await kit.newUser({ name: 'Ada Many' }), await kit.newUser({ name: 'Bob Other' })];
    const adas = [await start(ada, 'Ada one'), await start(ada, 'Ada two'), await start(ada, 'Ada three')];
    const bobs = await start(bob, 'Bob one');
    const page = await kit.openAs(kit.admin, '/admin/live');

    await tabTo(page, page.getByRole('checkbox', { name: 'Select Ada two' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('button', { name: 'Stop all of Ada Many' }));
    await page.keyboard.press('Enter');
    await page.getByText('Stop 3 runs?').waitFor();
    await tabTo(page, confirm(page));
    await page.keyboard.press('Enter');
    await page.getByText('3 runs stopped.').waitFor();

    expect(await Promise.all(adas.map(statusOf))).toEqual(['ENDED', 'ENDED', 'ENDED']);
    expect(await statusOf(bobs)).toBe('RUNNING');
    await page.getByRole('checkbox', { name: 'Select everything that runs' }).check();
    await page.getByRole('button', { name: 'Stop selected…' }).click();
    await confirm(page).click();
    await page.getByText('Nothing is running').waitFor();
  });

  it('is for administrators', async () => {
    const page = await kit.openAs(await kit.newUser(), '/admin/live');
    await page.getByText('This is for administrators').waitFor();
  });

  it.each([360, 1_600])(
    'is accessible and no wider than the screen at %i px, with long names and with nothing',
    async (width) => {
      const page = await kit.openAs(kit.admin, '/admin/live', { viewport: { width, height: 900 } });
      await page.getByText('Nothing is running').waitFor();
      await expectAccessible(page);
      const person = await kit.newUser({
        name: 'Maximiliana-Alexandrovna von und zu Hohenstaufen-Wittelsbach de la Fuente',
      });
      const id = await start(person, `A question ${'without an end '.repeat(40)}`);
      await page.getByRole('checkbox', { name: 'Select everything that runs' }).check();
      await page.getByRole('region', { name: 'Selected runs' }).waitFor();
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/live-${width}.png` });
      await expectAccessible(page);
      await kit.admin.ask('mutation ($id: ID!) { cancelRun(runId: $id) }', { id });
    },
  );
});
