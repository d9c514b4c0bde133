import type { ModelMessage } from './model-port.ts';
import { wellFormed } from './well-formed-text.ts';

const longestId = 200;

/**
 * Some providers number calls anew in every reply, repeat an id or leave it empty. An id that cannot stand is replaced by
 * one made of the turn and the call's place in it, so that the same reply always gives the same ids.
 */
export class UniqueCallIds {
  readonly #messages: readonly ModelMessage[];
  /** All of the request and of this reply; made for its second call, since most replies have no more than one. */
  #taken: Set<string> | undefined;
  #first: string | undefined;
  #calls = 0;

  constructor(messages: readonly ModelMessage[]) {
    this.#messages = messages;
  }

  take(proposed: string): string {
    this.#calls++;
    if (this.#calls === 2) this.#taken = this.#collect();
    let id = wellFormed(proposed).trim();
    if (id === '' || id.length > longestId || this.#isTaken(id)) {
      const turn = this.#messages.filter(({ role }) => role === 'assistant').length + 1;
      id = `call_${turn}_${this.#calls}`;
      while (this.#isTaken(id)) id += '_';
    }
    this.#first ??= id;
    this.#taken?.add(id);
    return id;
  }

  #isTaken(id: string): boolean {
    if (this.#taken) return this.#taken.has(id);
    for (const message of this.#messages) {
      if (message.role !== 'assistant') continue;
      for (const { callId } of message.toolCalls) if (callId === id) return true;
    }
    return false;
  }

  #collect(): Set<string> {
    const called = this.#messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    const taken = new Set(called.map(({ callId }) => callId));
    return this.#first === undefined ? taken : taken.add(this.#first);
  }
}
