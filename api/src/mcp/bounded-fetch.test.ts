import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

const piece = 'x'.repeat(1_000_000);
function* pieces(count: number) {
  for (let sent = 0; sent < count; sent += 1) yield piece;
}
const server = createServer((request, response) => {
  const count = request.url === '/endless' ? Number.POSITIVE_INFINITY : 3;
  pipeline(Readable.from(pieces(count)), response, () => undefined);
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('an answer', () => {
  it('that is endless is given up', async () => {
    const response = await boundedFetch(`${url}/endless`, { method: 'POST' });

    await expect(response.text()).rejects.toThrow("The server's answer is longer than 10,000,000 bytes.");
  });

  it('of ordinary length comes whole', async () => {
    const response = await boundedFetch(`${url}/`, { method: 'POST' });

    expect((await response.text()).length).toBe(3 * piece.length);
  });
});
