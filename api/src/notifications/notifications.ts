import { type EventPorts, openRunEvents, type RunEvents, type RunView } from '../events/run-events.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { SubscriberFiles } from './subscriber-files.ts';

export interface NotificationDependencies {
  readonly files: Pick<SubscriberFiles, 'subscribers'>;
}

/** Opens the events of runs: each has a bus of its own, and subscribers as they are declared. */
export class Notifications {
  /** Those that a sub-agent's model is spoken to by, for each list of all. */
  readonly #core = new WeakMap<readonly Subscriber[], readonly Subscriber[]>();

  constructor(private readonly dependencies: NotificationDependencies) {}

  /** With others who listen as well, such as rules. */
  open(view: RunView, listeners: EventPorts['listeners'] = []): RunEvents {
    const { files } = this.dependencies;
    const subscribers = () => (view.agent === undefined ? files.subscribers : this.#coreOf(files.subscribers));
    return openRunEvents(view, { subscribers, listeners, later });
  }

  #coreOf(all: readonly Subscriber[]): readonly Subscriber[] {
    const known = this.#core.get(all);
    if (known) return known;
    const core = all.filter((subscriber) => subscriber.core);
    this.#core.set(all, core);
    return core;
  }
}

function later(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
