import type { ModelMessage } from './model-port.ts';
import { wellFormed } from './well-formed-text.ts';

const longestId = 200;

/**
 * Some providers number calls anew in every reply, repeat an id or leave it empty. An id that cannot stand is replaced by
 * one made of the turn and the call's place in it, so that the same reply always gives the same ids.
 */
export class UniqueCallIds {
  readonly #messages: readonly ModelMessage[];
  #taken: Set<string> | undefined;
  #turn = 1;
  #calls = 0;

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages;
  }

  take(proposed: string): string {
    const taken = this.#taken ?? this.#collect();
    this.#calls++;
    let id = wellFormed(proposed).trim();
    if (id === '' || id.length > longestId || taken.has(id)) {
      id = `call_${this.#turn}_${this.#calls}`;
      while (taken.has(id)) id += '_';
    }
    taken.add(id);
    return id;
  }

  /** Only when there is a call at all: most replies have none. */
  #collect(): Set<string> {
    this.#taken = new Set();
    for (const message of this.#messages) {
      if (message.role !== 'assistant') continue;
      this.#turn++;
      for (const call of message.toolCalls) this.#taken.add(call.callId);
    }
    return this.#taken;
  }
}
