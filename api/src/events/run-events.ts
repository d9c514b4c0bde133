import type { TightenableLimit } from '../agent/advance.ts';
import type { ByAgent, Notice } from '../agent/chunk.ts';
import type { AgentState } from '../agent/state.ts';
import type { ToolOutcome } from '../agent/tool-call.ts';
import { Accumulator, type Notification } from './accumulator.ts';
import { EventBus, type Listening } from './bus.ts';
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
  /** Set for a sub-agent, with the id of the tool call it works for: what it is told stays between it and its model. */
  readonly subAgent?: { readonly name: string; readonly within: string } | undefined;
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
  /** What the model should be told with the coming request. It counts as told when it was heard. */
  takeHints(): readonly string[];
  /** The model has answered a request that held what was taken last: it is not told again. */
  hintsHeard(): void;
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

const noHints: readonly string[] = [];
const noNotices: readonly ModelNotice[] = [];

/** Everything about the events of one run. Nothing here is shared between runs. */
export function openRunEvents(view: RunView, ports: EventPorts): RunEvents {
  return new EventsOfRun(view, ports);
}

class EventsOfRun implements RunEvents {
  readonly #view: RunView;
  readonly #ports: EventPorts;
  readonly #bus: EventBus;
  readonly #accumulator: Accumulator;
  readonly #listening: Listening;
  #subscribers: readonly Subscriber[];
  #forModel: ModelNotice[] = [];
  /** How many of those, from the first on, were taken for a request, and which of them found no room in it. */
  #taken = 0;
  #waiting: readonly ModelNotice[] = noNotices;
  #alarm: { readonly at: number; readonly callOff: () => void } | undefined;
  #ended = false;

  constructor(view: RunView, ports: EventPorts) {
    this.#view = view;
    this.#ports = ports;
    this.#subscribers = ports.subscribers();
    this.#accumulator = new Accumulator(this.#subscribers);
    this.#bus = new EventBus(view);
    for (const listen of ports.listeners) listen(this.#bus);
    this.#listening = this.#bus.on(this.#accumulator.names, (event) => {
      const due = this.#accumulator.take(event);
      if (due.length > 0) this.#deliver(due);
      this.#wakeForBatch();
    });
  }

  emit<Name extends EventName>(name: Name, payload: PayloadOf<Name>, severity?: RunEvent['severity']): void {
    if (name === 'agent.turn.start') this.#renewSubscribers();
    this.#bus.emit(name, payload, severity === undefined ? undefined : { severity });
  }

  reach(point: Exclude<InjectPoint, 'IMMEDIATE'>): void {
    if (this.#accumulator.waits) this.#deliver(this.#accumulator.reach(point, this.#view.now()));
  }

  takeHints(): readonly string[] {
    const notices = this.#forModel;
    this.#taken = notices.length;
    if (notices.length === 0) return noHints;
    const { lines, waiting } = modelLines(notices, this.#view);
    this.#waiting = waiting;
    return lines;
  }

  hintsHeard(): void {
    if (this.#taken === 0) return;
    const toldAll = this.#waiting.length === 0 && this.#taken === this.#forModel.length;
    this.#forModel = toldAll ? [] : [...this.#waiting, ...this.#forModel.slice(this.#taken)];
    this.#waiting = noNotices;
    this.#taken = 0;
  }

  end(): void {
    this.#ended = true;
    this.#deliver(this.#accumulator.end(this.#view.now()));
    this.#wakeForBatch();
    const left = this.#forModel.filter(({ subscriber }) => subscriber.keep);
    if (left.length > 0) this.#ports.onLeftOver?.(left);
  }

  #deliver(notifications: readonly Notification[]): void {
    for (const notification of notifications) {
      const { subscriber } = notification;
      if (subscriber.tell.includes('PERSON')) for (const notice of personNotices(notification)) this.#view.tell(notice);
      if (subscriber.tell.includes('MODEL'))
        for (const notice of modelNotices(notification)) this.#forModel.push(notice);
      this.#ports.onTold?.(subscriber);
    }
  }

  /** A batch whose time is over is told even when nothing else happens. */
  #wakeForBatch(): void {
    const at = this.#ended ? undefined : this.#accumulator.nextAt;
    if (at === this.#alarm?.at) return;
    this.#alarm?.callOff();
    this.#alarm = undefined;
    if (at === undefined) return;
    const callOff = this.#ports.later(Math.max(0, at - this.#view.now()), () => {
      this.#alarm = undefined;
      this.#deliver(this.#accumulator.tick(this.#view.now()));
      this.#wakeForBatch();
    });
    this.#alarm = { at, callOff };
  }

  #renewSubscribers(): void {
    const present = this.#ports.subscribers();
    if (present === this.#subscribers) return;
    this.#subscribers = present;
    this.#accumulator.use(present);
    this.#listening.names = this.#accumulator.names;
  }
}
