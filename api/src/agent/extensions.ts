import { advance } from './advance.ts';
import { deepFreeze } from './freeze.ts';
import type { Json } from './json.ts';
import type { AgentState } from './state.ts';

/** A module's own corner of the state. It is handed nothing with which to reach the core or another's corner. */
export interface Extension<T extends Json> {
  readonly namespace: string;
  read(state: AgentState): T;
  /** A new state with the new value; the one given stays as it was. */
  write(state: AgentState, value: T): AgentState;
}

const claimed = new Set<string>();

/** Claims a namespace; `initial` is what it holds until it is written. Two modules cannot claim the same one. */
export function defineExtension<T extends Json>(namespace: string, initial: T): Extension<T> {
  if (claimed.has(namespace)) throw new Error(`The extension namespace "${namespace}" is claimed already.`);
  claimed.add(namespace);
  deepFreeze(initial); // every run starts from this one object
  return Object.freeze({
    namespace,
    read: (state: AgentState): T => {
      const held = Object.hasOwn(state.extensions, namespace) ? state.extensions[namespace] : undefined;
      // Only this object writes the namespace, so what it holds is a T.
      return held === undefined ? initial : (held as T);
    },
    write: (state: AgentState, value: T) => advance(state, { type: 'extension-written', namespace, value }),
  });
}
