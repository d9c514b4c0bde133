import { OracleError } from './oracle-error.ts';
import type { Transports } from './reconnect.ts';
import type { Connection } from './request.ts';
import { makeSocketTransport, type WebSocketConstructor } from './socket.ts';
import { makeEventTransport } from './sse.ts';
import type { Transport, TransportChoice } from './transport.ts';

/** Which transports there are, and which one an attempt takes. */
export function chooseTransport(
  connection: Connection,
  choice: TransportChoice,
  given: WebSocketConstructor | undefined,
): Transports {
  let socket: Transport | undefined;
  let events: Transport | undefined;
  let current = choice === 'sse' ? 'sse' : 'ws';
  let known = false;

  return {
    get known() {
      return known;
    },
    transport() {
      const WebSocket = given ?? globalThis.WebSocket;
      if (!WebSocket && choice === 'auto') current = 'sse';
      if (current === 'sse') {
        events ??= makeEventTransport(connection);
        return events;
      }
      if (!WebSocket) {
        throw new OracleError('NETWORK', "This runtime has no WebSocket: pass one as an option, or choose 'sse'.");
      }
      socket ??= makeSocketTransport({ ...connection, WebSocket });
      return socket;
    },
    // As long as nobody has answered, the two take turns; whichever comes through is kept.
    reached({ name }, contact) {
      known ||= contact;
      if (contact) current = name;
      else if (choice === 'auto' && !known) current = name === 'ws' ? 'sse' : 'ws';
      return current !== name && name === 'ws';
    },
  };
}
