import { builtInSubscribers } from '../../declared-folders.ts';
import { builtInSubscribersOf } from '../../notifications/subscriber-files.ts';
import { openRunEvents, type RunEvents, type RunView } from '../run-events.ts';
import type { Subscriber } from '../subscriber.ts';

const all = await builtInSubscribersOf(builtInSubscribers);
const core = all.filter((subscriber) => subscriber.core);

/** The events of a run with nobody listening but those who cannot be switched off. */
export function openEvents(view: RunView): RunEvents {
  return openWith(view, core);
}

/** The same with everybody whom the product declares. */
export function openAllEvents(view: RunView): RunEvents {
  return openWith(view, all);
}

function openWith(view: RunView, subscribers: readonly Subscriber[]): RunEvents {
  const later = (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  };
  return openRunEvents(view, { subscribers: () => subscribers, listeners: [], later });
}
