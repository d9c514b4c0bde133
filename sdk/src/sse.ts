import { readCredentials } from './credentials.ts';
import { readEvents } from './event-stream.ts';
import { isServerErrors, OracleError, serverFailure } from './oracle-error.ts';
import { type Connection, describeFailure, parseJson, readAnswer } from './request.ts';
import type { Transport } from './transport.ts';

const connectWithinMs = 10_000;
/** The server says something at least every twelve seconds; so long a silence means that the line is dead. */
const silenceMs = 40_000;

/** Each subscription is a request of its own that is answered by server-sent events: nothing but `fetch` is needed. */
export function makeEventTransport(connection: Connection): Transport {
  const { endpoint } = connection;
  return {
    name: 'sse',
    async *listen({ query, variables }, { signal, refused, onContact }) {
      const { authorization, redact } = await readCredentials(connection.token, refused);
      const giveUp = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = (milliseconds: number | undefined) => {
        clearTimeout(timer);
        timer = milliseconds === undefined ? undefined : setTimeout(() => giveUp.abort(), milliseconds);
      };
      wait(connectWithinMs);
      try {
        const response = await (connection.fetch ?? fetch)(endpoint.http, {
          method: 'POST',
          headers: {
            accept: 'text/event-stream',
            'content-type': 'application/json',
            ...(authorization && { authorization }),
          },
          body: JSON.stringify({ query, variables }),
          signal: AbortSignal.any([signal, giveUp.signal]),
        });
        const { body } = response;
        if (!body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
          readAnswer(response, await response.text(), redact);
          throw new OracleError('BAD_RESPONSE', `${endpoint.label} does not send events.`, response.status);
        }
        onContact();
        for await (const { event, data } of readEvents(body, (waiting) => wait(waiting ? silenceMs : undefined))) {
          if (event === 'complete') return;
          if (event !== 'next') continue;
          const answer = parseJson(data);
          if (isServerErrors(answer?.errors)) throw serverFailure(answer.errors, redact, undefined);
          if (answer?.data) yield answer.data;
        }
        throw new OracleError('NETWORK', `The connection to ${endpoint.label} ended.`);
      } catch (failure) {
        if (failure instanceof OracleError) throw failure;
        const reason = giveUp.signal.aborted ? 'it fell silent.' : redact(describeFailure(failure));
        throw new OracleError('NETWORK', `The connection to ${endpoint.label} failed: ${reason}`);
      } finally {
        wait(undefined);
        giveUp.abort();
      }
    },
  };
}
