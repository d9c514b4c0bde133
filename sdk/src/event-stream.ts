/** One server-sent event. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from a body, however its bytes are cut, and no faster than they are taken: a slow reader
 * holds the sender back. Comments, which servers send to show that they live, are left out. `onWait` hears when
 * bytes are waited for, and when they are there.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onWait: (waiting: boolean) => void = () => {},
): AsyncGenerator<ServerSentEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let event = '';
  let data: string[] = [];
  try {
    for (;;) {
      onWait(true);
      const { done, value } = await reader.read();
      onWait(false);
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line break: it waits for the next bytes.
      const lines = rest.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event !== '' || data.length > 0) yield { event: event || 'message', data: data.join('\n') };
          event = '';
          data = [];
        } else if (line.startsWith('data:')) {
          data.push(textFrom(line, 5));
        } else if (line.startsWith('event:')) {
          event = textFrom(line, 6);
        }
      }
      if (done) return; // what was not closed by an empty line is half an event
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function textFrom(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}
