import { connect, createServer, type Socket } from 'node:net';

/** A network between browser and server that can fail: cut, every connection breaks and none is made until it is mended. */
export interface Gate {
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startGate(targetUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(targetUrl);
  const open = new Set<Socket>();
  let broken = false;

  const server = createServer((incoming) => {
    if (broken) return void incoming.destroy();
    const outgoing = connect(Number(port), hostname);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The gate has no port.');

  function cut() {
    broken = true;
    for (const socket of open) socket.destroy();
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      broken = false;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
