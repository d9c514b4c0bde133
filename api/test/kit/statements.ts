import type { Socket } from 'node:net';

/** Notes what is executed over a connection to PostgreSQL: prepared statements by their name, all others by their text. */
export function noteStatements(client: Socket, note: (statement: string) => void): void {
  const prepared = new Map<string, string>();
  let bound = '';
  let started = false;
  let rest = Buffer.alloc(0);

  function hear(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
    if (type === 'Q') note(first);
    else if (type === 'P') prepared.set(first, second);
    else if (type === 'B') bound = second || (prepared.get('') ?? '');
    else if (type === 'E') note(bound);
  }

  client.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      // The very first message has no type.
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return;
      const end = header + rest.readInt32BE(header);
      if (rest.length < end) return;
      if (started) hear(String.fromCharCode(rest[0] ?? 0), rest.subarray(header + 4, end));
      started = true;
      rest = rest.subarray(end);
    }
  });
}
