import type { EventBus } from './bus.ts';
import { EventNames } from './event-names.ts';
import type { RunView } from './run-events.ts';
import type { Priority } from './subscriber.ts';

/** What the model wants to be reminded of, and when. Without a moment, at the next turn. */
export interface SelfNotice {
  readonly id: string;
  readonly message: string;
  readonly category: string;
  readonly priority: Priority;
  /** With another moment, not before either; of several conditions, one is enough. */
  readonly afterTurns?: number | undefined;
  readonly afterTool?: string | undefined;
  /** Percent of the model's window. */
  readonly contextAbove?: number | undefined;
  readonly tokensAbove?: number | undefined;
  readonly messagesAbove?: number | undefined;
  /** Not before the next session. */
  readonly nextSession?: boolean | undefined;
  /** It was left by an earlier session. */
  readonly fromEarlier?: boolean | undefined;
}

/** The built-in subscriber by which they are told. */
export const reminderSubscriber = 'self-notice';

type Known = Pick<RunView, 'turn' | 'messages' | 'promptTokens' | 'windowSize'> & { tokensUsed(): number };

const mostWaiting = 20;

/** The reminders of one run until they are due. Pure: what is known about the run comes from its view. */
export class SelfNotices {
  #waiting: { readonly notice: SelfNotice; readonly since: number }[] = [];

  /** False when there are too many already. */
  add(notice: SelfNotice, turn: number): boolean {
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push({ notice, since: turn });
    return true;
  }

  /** Emits what is due whenever a turn begins or a tool has answered. */
  listen(bus: EventBus, known: Known): void {
    const emit = (due: readonly SelfNotice[]) => {
      for (const { id: noticeId, message, category, priority, fromEarlier = false } of due)
        bus.emit('agent.self.notify', { noticeId, message, category, priority, fromEarlier });
    };
    bus.on('agent.turn.start', () =>
      emit(this.#take((notice, since) => notice.afterTool === undefined && isAllowed(notice, since, known))),
    );
    bus.on(answers, ({ payload }) => {
      if (!('tool' in payload)) return;
      const { tool } = payload;
      emit(this.#take((notice, since) => notice.afterTool === tool && isAllowed(notice, since, known)));
    });
  }

  /** What was never due: it is left for the next session. */
  takeRest(): readonly SelfNotice[] {
    return this.#take(() => true);
  }

  #take(isWanted: (notice: SelfNotice, since: number) => boolean): readonly SelfNotice[] {
    if (this.#waiting.length === 0) return [];
    const [taken, left] = [this.#waiting.filter(({ notice, since }) => isWanted(notice, since)), this.#waiting];
    if (taken.length > 0) this.#waiting = left.filter((one) => !taken.includes(one));
    return taken.map(({ notice }) => notice);
  }
}

/** A tool has done its work, or tried to; one that was not run has done neither. */
const answers = new EventNames(
  (name) => name === 'tool.call.success' || name === 'tool.call.failure' || name === 'tool.call.timeout',
);

/** Its turns are over and, if it has conditions, one of them holds. One that waits for nothing comes a turn later. */
function isAllowed(notice: SelfNotice, since: number, known: Known): boolean {
  const { afterTurns, afterTool, contextAbove, tokensAbove, messagesAbove, nextSession } = notice;
  if (nextSession === true) return false;
  const isConditional = contextAbove !== undefined || tokensAbove !== undefined || messagesAbove !== undefined;
  if (known.turn() - since < (afterTurns ?? (isConditional || afterTool !== undefined ? 0 : 1))) return false;
  if (!isConditional) return true;
  if (contextAbove !== undefined && (known.promptTokens() * 100) / known.windowSize > contextAbove) return true;
  if (tokensAbove !== undefined && known.tokensUsed() > tokensAbove) return true;
  return messagesAbove !== undefined && known.messages() > messagesAbove;
}
