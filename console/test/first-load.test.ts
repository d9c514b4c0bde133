import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChat } from './chat-kit.ts';
import { type ConsoleKit, startConsoleKit } from './console-kit.ts';

let kit: ConsoleKit;
beforeAll(async () => {
  kit = await startConsoleKit();
});
afterAll(() => kit.stop());

describe('the first load', () => {
  it('brings at most 200 kB of script, gzipped, and asks nobody else for anything', async () => {
    const chat = await openChat(kit, await kit.newUser());
    const scripts = new Set<string>();
    const hosts = new Set<string>();
    const problems: string[] = [];
    chat.page.on('request', (request) => {
      const { host, pathname } = new URL(request.url());
      hosts.add(host);
      if (pathname.endsWith('.js')) scripts.add(request.url());
    });
    chat.page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
    chat.page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));

    await chat.page.reload({ waitUntil: 'networkidle' });
    await chat.page.getByText('What would you like to know?').waitFor();

    let total = 0;
    for (const url of scripts) total += gzipSync(await (await fetch(url)).bytes()).length;
    expect(scripts.size).toBeGreaterThan(1);
    expect(total).toBeLessThan(200_000);
    expect([...hosts]).toEqual([new URL(kit.url).host]);
    // A word about the policy would be here if the page needed more than it allows.
    expect(problems).toEqual([]);
  });

  it('is under a policy that allows nothing but what this server serves', async () => {
    const response = await fetch(kit.url);

    const policy = response.headers.get('content-security-policy') ?? '';
    const directives = Object.fromEntries(
      policy.split(';').map((directive) => {
        const [name = '', ...values] = directive.trim().split(/\s+/);
        return [name, values.join(' ')];
      }),
    );
    expect(directives).toMatchObject({
      'default-src': "'self'",
      'img-src': "'self'",
      'connect-src': "'self'",
      'object-src': "'none'",
      'frame-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
  });
});
