import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closing, reply, step } from '../../api/test/kit/model-replies.ts';
import { createGate, type ModelServer, startModelServer } from '../../api/test/kit/model-server.ts';
import { type Chat, openChat, useModel } from './chat-kit.ts';
import { type ConsoleKit, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
  kit = await startConsoleKit({ providers: { ORACLE_OPENAI_BASE_URL: model.url } });
});
afterAll(async () => {
  await kit.stop();
  await model.stop();
});

/** What a model may write to get out of its place. */
const attack = `# A title

<script>window.hacked = 'script'</script>
<img src="https://evil.example/pixel.png" onerror="window.hacked = 'img'">
<iframe src="https://evil.example/"></iframe><svg onload="window.hacked='svg'"></svg>
<form action="https://evil.example/"><input name="token"></form>
<style>body { background: url(https://evil.example/style.png) }</style>
<a href="javascript:window.hacked='link'">press me</a>

![a picture](https://evil.example/picture.png "hover") and ![](data:image/png;base64,AAAA)

[run this](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [out](https://evil.example/away?a=1)
<https://evil.example/auto> and https://evil.example/bare

| a | b |
| --- | --: |
| <b onclick="window.hacked='cell'">x</b> | [cell](https://evil.example/cell) |

\`\`\`html
<script>window.hacked = 'code'</script>
\`\`\`

\u202Eright to left override\u202C, zero\u200Bwidth\u200D, مرحبا بالعالم
`;

async function askFor(text: string | readonly string[]): Promise<Chat> {
  model.script(reply.text(text));
  const chat = await openChat(kit, await kit.newUser());
  const strangers: string[] = [];
  chat.page.on('request', (request) => strangers.push(request.url()));
  await useModel(chat, 'openai/scripted');
  await chat.ask('Say something.');
  await chat.card.waitFor({ timeout: 40_000 });
  const hosts = new Set(strangers.map((url) => new URL(url).host));
  expect([...hosts]).toEqual([new URL(kit.url).host]);
  return chat;
}

describe('a hostile answer', () => {
  it('runs nothing, loads nothing, and leads nowhere by itself', async () => {
    const chat = await askFor(attack);
    const answer = chat.page.locator('[data-participant=oracle] .md').first();

    expect(await chat.page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined();
    expect(
      await answer
        .locator('script, img, iframe, svg:not(.lucide), form, input, style, a, [onclick], [href], [src]')
        .count(),
    ).toBe(0);
    expect(await answer.textContent()).toContain("<script>window.hacked = 'script'</script>");
    expect(await answer.textContent()).toContain('[image: a picture · https://evil.example/picture.png]');
    // What cannot be opened at all is written out; what can is asked about first, with the whole address.
    expect(await answer.getByRole('button', { name: 'run this' }).count()).toBe(0);
    await answer.getByRole('button', { name: 'out', exact: true }).click();
    const dialog = chat.page.getByRole('dialog');
    await dialog.getByText('https://evil.example/away?a=1').waitFor();
    const open = dialog.getByRole('link', { name: 'Open in a new tab' });
    expect(await open.getAttribute('rel')).toContain('noopener noreferrer');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(chat.page.url()).origin).toBe(kit.url);
    // Directions stay within their paragraph.
    expect(await answer.locator('p').last().getAttribute('dir')).toBe('auto');
  });

  it('of one line of a megabyte leaves the page usable', async () => {
    const chat = await askFor('x'.repeat(1_000_000));

    await chat.page
      .getByText(/[\d,]{7,} characters in one line; shown as plain text\./)
      .first()
      .waitFor();
    await chat.field.fill('still here');
    expect(await chat.field.inputValue()).toBe('still here');
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it('as a question of the same kind is shown as it was written', async () => {
    model.script(reply.text('Fine.'));
    const chat = await openChat(kit, await kit.newUser());
    await useModel(chat, 'openai/scripted');
    const question = '<img src=x onerror="window.hacked=1"> **not bold** \u202Etxet';
    await chat.ask(question);
    await chat.ended('COMPLETED');

    expect(await chat.page.locator('[data-participant=you] h2').last().textContent()).toBe(question);
    expect(await chat.page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined();
  });
});

describe('a long answer', () => {
  it('of ten thousand chunks is whole, comes in few pieces, and only its last block is drawn again', async () => {
    const words = Array.from({ length: 10_000 }, (_, index) => (index % 50 === 49 ? `${index}.\n\n` : `w${index} `));
    const half = createGate();
    model.script(
      reply.stream([
        ...words.slice(0, 5_000).map(step.text),
        step.wait(half.opened),
        ...words.slice(5_000).map(step.text),
        ...closing('stop'),
      ]),
    );
    const chat = await openChat(kit, await kit.newUser());
    let [messages, questionsAboutTheRun] = [0, 0];
    chat.page.on('websocket', (socket) => socket.on('framereceived', () => messages++));
    chat.page.on('request', (request) => {
      if (request.postData()?.includes('query ChatRun(')) questionsAboutTheRun++;
    });
    await chat.page.reload();
    await useModel(chat, 'openai/scripted');
    await chat.ask('Say ten thousand words.');
    const first = chat.page.locator('.md > .md-block').first();
    await chat.page.getByText('w4998').waitFor();
    await first.locator('p').evaluate((element) => element.setAttribute('data-first', ''));
    half.open();
    await chat.ended('COMPLETED');

    expect(await chat.page.locator('.md > .md-block').count()).toBe(200);
    // Neither every chunk nor every frame is a message, and what is far from the screen is not laid out.
    expect(messages).toBeGreaterThan(1);
    expect(messages).toBeLessThan(4_000);
    expect(questionsAboutTheRun).toBeLessThan(10);
    expect(await first.evaluate((block) => getComputedStyle(block).contentVisibility)).toBe('auto');
    expect(await chat.page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    expect(await first.locator('p[data-first]').count()).toBe(1);
    expect((await chat.page.locator('.md').first().textContent())?.replace(/\s+/g, '')).toBe(
      words.join('').replace(/\s+/g, ''),
    );
  });

  it('that is one long list is drawn in parts, with every item in its place', async () => {
    const items = Array.from({ length: 400 }, (_, index) => `${index + 1}. item ${index + 1} of the list\n`);
    const chat = await askFor(items);

    expect(await chat.page.locator('.md li').count()).toBe(400);
    expect(await chat.page.locator('.md > .md-block').count()).toBeGreaterThan(1);
    const starts = await chat.page
      .locator('.md ol')
      .evaluateAll((lists) =>
        lists.map((list) => [(list as HTMLOListElement).start, list.querySelector('li')?.textContent?.trim()]),
      );
    for (const [start, text] of starts) expect(text).toBe(`item ${start} of the list`);
  });

  it('shows its code in colours, with a button that copies it', async () => {
    const chat = await askFor(['Look:\n\n```ts\nconst a', "nswer: string = 'forty-two';\n``", '`\n\n**Done.**']);

    await chat.page.locator('pre span[style*="--code-token-keyword"]').first().waitFor();
    await chat.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await chat.page.getByRole('button', { name: 'Copy this code' }).click();
    await chat.page.getByRole('button', { name: 'Copy this code' }).getByText('Copied').waitFor();
    expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe("const answer: string = 'forty-two';");
    expect(await chat.page.locator('.md strong').textContent()).toBe('Done.');
  });
});
