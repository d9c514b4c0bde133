import type { EventBus } from './bus.ts';
import type { RunView } from './run-events.ts';
import type { Priority } from './subscriber.ts';

/** What the model wants to be reminded of, and when. Without a moment, at the next turn. */
export interface SelfNotice {
  readonly id: string;
  readonly message: string;
  readonly category: string;
  readonly priority: Priority;
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
    bus.on('agent.turn.start', () => emit(this.#take((notice, since) => isDue(notice, since, known))));
    bus.on('tool.call.*', ({ name, payload }) => {
      if (name === 'tool.call.pending' || !('tool' in payload)) return;
      emit(this.#take((notice) => notice.nextSession !== true && notice.afterTool === payload.tool));
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

function isDue(notice: SelfNotice, since: number, known: Known): boolean {
  const { afterTurns, afterTool, contextAbove, tokensAbove, messagesAbove, nextSession } = notice;
  if (nextSession === true || afterTool !== undefined) return false;
  if (contextAbove !== undefined && (known.promptTokens() * 100) / known.windowSize > contextAbove) return true;
  if (tokensAbove !== undefined && known.tokensUsed() > tokensAbove) return true;
  if (messagesAbove !== undefined && known.messages() > messagesAbove) return true;
  if (contextAbove !== undefined || tokensAbove !== undefined || messagesAbove !== undefined) return false;
  return known.turn() - since >= (afterTurns ?? 1);
}
