import type { TightenableLimit } from '../agent/advance.ts';
import type { ByAgent, Notice } from '../agent/chunk.ts';
import type { AgentState } from '../agent/state.ts';
import type { ToolOutcome } from '../agent/tool-call.ts';
import { Accumulator, type Notification } from './accumulator.ts';
import { EventBus } from './bus.ts';
import type { EventName, PayloadOf, RunEvent } from './event.ts';
import { type ModelNotice, modelLines, modelNotices } from './model-notice.ts';
import { personNotices } from './person-notice.ts';
import type { InjectPoint, Subscriber } from './subscriber.ts';

export interface AnsweredCall {
  readonly turn: number;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

/** What a run gives to those who listen to it. */
export interface RunView {
  /** Set for a sub-agent: what it is told stays between it and its model. */
  readonly agent?: string;
  /** The tool call, by its id, that the sub-agent works for. */
  readonly within?: string;
  readonly windowSize: number;
  now(): number;
  /** Turns started so far. */
  turn(): number;
  state(): AgentState;
  /** How many the coming request holds, and how many tokens they are thought to take. */
  messages(): number;
  promptTokens(): number;
  /** Those that were answered, oldest first. */
  toolCalls(): readonly AnsweredCall[];
  /** Allows the run less from now on; undefined when it was that tight already. */
  tighten(field: TightenableLimit, to: number): { readonly from: number; readonly to: number } | undefined;
  /** Shows the person a notice. */
  tell(notice: Notice & ByAgent): void;
  estimateTokens(text: string): number;
  reportFailure(error: unknown): void;
}

/** The events of one run and what comes of them, as the runner uses it. */
export interface RunEvents {
  emit<Name extends EventName>(name: Name, payload: PayloadOf<Name>, severity?: RunEvent['severity']): void;
  /** The run has come to a point at which notices are due. */
  reach(point: Exclude<InjectPoint, 'IMMEDIATE'>): void;
  /** What the model should be told with the coming request, once. */
  takeHints(): readonly string[];
  /** Nothing happens after this: what waits is told, and what the model never heard is left over. */
  end(): void;
}

/** What the world outside does with them. */
export interface EventPorts {
  /** Asked at the start of each turn: whose file changed or who was switched off counts from then on. */
  subscribers(): readonly Subscriber[];
  /** Hears of every event as it happens: the log, spans, rules. */
  readonly listeners: readonly ((bus: EventBus) => void)[];
  /** Calls back later, once, unless it is called off. */
  later(milliseconds: number, callback: () => void): () => void;
  /** A subscriber has told somebody something. */
  onTold?(subscriber: Subscriber): void;
  /** What the model was to hear, and the run ended first. */
  onLeftOver?(notices: readonly ModelNotice[]): void;
}

/** Everything about the events of one run. Nothing here is shared between runs. */
export function openRunEvents(view: RunView, ports: EventPorts): RunEvents {
  const bus = new EventBus({ now: view.now, turn: view.turn, onFailure: (error) => view.reportFailure(error) });
  let subscribers = ports.subscribers();
  const accumulator = new Accumulator(subscribers);
  let forModel: ModelNotice[] = [];
  let alarm: { readonly at: number; readonly callOff: () => void } | undefined;
  let ended = false;

  function deliver(notifications: readonly Notification[]): void {
    for (const notification of notifications) {
      const { subscriber } = notification;
      if (subscriber.tell.includes('PERSON')) for (const notice of personNotices(notification)) view.tell(notice);
      forModel.push(...modelNotices(notification));
      ports.onTold?.(subscriber);
    }
  }

  /** A batch whose time is over is told even when nothing else happens. */
  function wakeForBatch(): void {
    const at = ended ? undefined : accumulator.nextAt;
    if (at === alarm?.at) return;
    alarm?.callOff();
    alarm = undefined;
    if (at === undefined) return;
    const callOff = ports.later(Math.max(0, at - view.now()), () => {
      alarm = undefined;
      deliver(accumulator.tick(view.now()));
      wakeForBatch();
    });
    alarm = { at, callOff };
  }

  function renewSubscribers(): void {
    const present = ports.subscribers();
    if (present === subscribers) return;
    subscribers = present;
    accumulator.use(present);
  }

  for (const listen of ports.listeners) listen(bus);
  bus.on('*', (event) => {
    if (!accumulator.wants(event.name)) return;
    deliver(accumulator.take(event));
    wakeForBatch();
  });

  return {
    emit(name, payload, severity) {
      if (name === 'agent.turn.start') renewSubscribers();
      bus.emit(name, payload, severity === undefined ? undefined : { severity });
    },
    reach(point) {
      deliver(accumulator.reach(point, view.now()));
    },
    takeHints() {
      const notices = forModel;
      forModel = [];
      return modelLines(notices, view);
    },
    end() {
      ended = true;
      deliver(accumulator.end(view.now()));
      wakeForBatch();
      const left = forModel.filter(({ subscriber }) => subscriber.keep);
      if (left.length > 0) ports.onLeftOver?.(left);
    },
  };
}
