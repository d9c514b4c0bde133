import type { TightenableLimit } from '../agent/advance.ts';
import type { Chunk } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import type { TerminationReason } from '../agent/termination.ts';
import type { EventSeverity, RunEvent } from '../events/event.ts';
import { countAmong } from '../rules/helper-answers.ts';
import type { PastMoment, PastRun } from '../rules/past-run.ts';
import { eventsOfTrigger, type Trigger, tightenable, triggers } from '../rules/rule.ts';
import { mostTools, type PastTool, type RuleFacts } from '../rules/vocabulary.ts';
import { endingOfEvent, ToolOfEvent } from './event-facts.ts';

/** An event as the log of its run holds it. */
export interface LoggedEvent {
  readonly number: number;
  readonly at: Date;
  readonly turn: number;
  readonly name: string;
  readonly severity: EventSeverity;
  /** Of a sub-agent, its name. */
  readonly agent: string | null;
  readonly payload: Json;
}

type Payload = Readonly<Record<string, Json>>;
/** What a run knows of itself. */
type OwnFacts = Omit<RuleFacts, 'state' | 'event' | 'user' | 'project'>;

const triggerOf = new Map<string, Trigger>(
  triggers.flatMap((trigger) => eventsOfTrigger[trigger].map((name) => [name, trigger] as const)),
);

/** Whether the events of a run are there from its beginning: runs of earlier versions have none. */
export function isLogged(events: readonly LoggedEvent[]): boolean {
  return events.some(({ name, agent }) => name === 'query.start' && agent === null);
}

/**
 * A run as its rules saw it, told again by its own events: the same moments, in the same turns, with the same facts. What
 * events leave out for its size, the arguments and results of tools, is taken from the chunks.
 */
export function loggedMoments(run: PastRun, events: readonly LoggedEvent[]): readonly PastMoment[] {
  const log = new LoggedRun(run);
  return events.flatMap((event) => log.hear(event) ?? []);
}

/** What a rule remembered when the run began; undefined when that was too much for the log. */
export function stateAtStart(events: readonly LoggedEvent[], ruleId: string): Payload | undefined {
  const remembered = events.find(({ name, agent }) => name === 'rules.remembered' && agent === null);
  const { states, leftOut } = recordOf(remembered?.payload);
  return leftOut === undefined ? recordOf(recordOf(states)[ruleId]) : undefined;
}

class LoggedRun {
  readonly #run: PastRun;
  readonly #work: Work;
  readonly #tools: PastTool[] = [];
  #limits: AgentConfig;
  #startedAt = 0;
  #context = { tokens: 0, window: 1 };
  #messages = 0;
  #failures = 0;
  #input = 0;
  #output = 0;
  /** What was used beside what the model calls tell. */
  #apart = 0;

  constructor(run: PastRun) {
    this.#run = run;
    this.#limits = run.config;
    this.#work = new Work(run.chunks);
  }

  hear(event: LoggedEvent): PastMoment | undefined {
    const payload = recordOf(event.payload);
    if (event.name === 'model.call.end') {
      this.#input += numberAt(payload, 'inputTokens');
      this.#output += numberAt(payload, 'outputTokens');
    }
    if (event.agent !== null) return undefined;
    this.#stand(event, payload);
    const trigger = triggerOf.get(event.name);
    return trigger && this.#moment(trigger, { ...event, payload: { ...payload, ...this.#work.of(event, payload) } });
  }

  /** How things stand from this event on. */
  #stand({ name, at, turn }: LoggedEvent, payload: Payload): void {
    if (name === 'query.start') {
      this.#startedAt = at.getTime();
      for (const field of tightenable) this.#tighten(field, payload[field]);
      this.#context = { tokens: 0, window: numberAt(payload, 'windowSize') || this.#work.window };
    }
    if (name === 'rule.limit') {
      const known = tightenable.find((field) => field === payload.field);
      if (known) this.#tighten(known, payload.to);
    }
    const context = payload.contextTokens ?? (name === 'agent.turn.start' ? payload.expectedInput : undefined);
    if (typeof context === 'number') this.#context = { ...this.#context, tokens: Math.round(context) };
    if (typeof payload.messages === 'number') this.#messages = payload.messages;
    if (typeof payload.tokensUsed === 'number') this.#apart = payload.tokensUsed - this.#input - this.#output;
    if (/^tool\.call\.(success|failure|timeout)$/.test(name)) {
      const ok = name === 'tool.call.success';
      if (!ok) this.#failures += 1;
      const error = typeof payload.error === 'string' ? payload.error : '';
      const durationMs = numberAt(payload, 'durationMs');
      this.#tools.push({ name: String(payload.tool), ok, error, turn, durationMs });
    }
  }

  #tighten(field: TightenableLimit, to: Json | undefined): void {
    if (typeof to === 'number') this.#limits = { ...this.#limits, [field]: Math.min(this.#limits[field], to) };
  }

  #moment(trigger: Trigger, event: LoggedEvent & { readonly payload: Payload }): PastMoment {
    const { userId, projectId, role, projectName, estimateTokens } = this.#run;
    const { at, ...told } = event;
    const { name, severity, payload } = event;
    // Its name and payload come from the log of an event that had them.
    const again = { ...told, at: at.getTime(), dedupeKey: '' } as RunEvent;
    const known = this.#known(event);
    return {
      trigger,
      turn: event.turn,
      facts: ({ state, limits }) => ({
        ...known(limits),
        user: { id: userId, role },
        project: { id: projectId, name: projectName },
        event: { name, severity, payload },
        state,
        ...(name.startsWith('tool.call.') ? { tool: new ToolOfEvent({ event: again }, { estimateTokens }) } : {}),
        ...(name === 'session.end' ? { ending: endingOfEvent(payload) } : {}),
      }),
    };
  }

  /** What the run itself knew, but for what a rule that is being tried would have made tighter. */
  #known({
    name,
    at,
    turn,
    payload,
  }: LoggedEvent & { readonly payload: Payload }): (tightened: Partial<AgentConfig>) => OwnFacts {
    const { id, question, model, decisionTree } = this.#run;
    const { tokens, window } = this.#context;
    const messages = this.#messages;
    const used = this.#input + this.#output + this.#apart;
    const [input, output] = [this.#input, this.#output];
    const decision = this.#decisionAt(name, turn, payload);
    const measured = (reason: TerminationReason) =>
      decision?.evaluations.find((one) => one.reason === reason)?.value ?? 0;
    const soFar = this.#tools.length;
    const history = {
      messages,
      toolCalls: soFar,
      failures: this.#failures,
      repeats: measured('NO_PROGRESS'),
      errorStreak: measured('ERROR_LIMIT'),
      tools: this.#tools.slice(-mostTools),
      countOf: (tool: string) => countAmong(this.#tools.slice(0, soFar), tool),
    };
    const elapsed = (at.getTime() - this.#startedAt) / 1_000;
    const before = this.#limits;
    return (tightened) => {
      const limits = { ...before, ...tightened };
      const budget = limits.tokenBudget;
      return {
        question,
        run: { id, model, decisionTree },
        turn,
        elapsed,
        tokens: { used, input, output, budget, left: Math.max(0, budget - used), share: used / budget },
        context: { tokens, window, share: tokens / window },
        limits,
        history,
      };
    };
  }

  /** The one that a turn began with; at its end and at that of the run, which may have broken it off, the one that followed. */
  #decisionAt(name: string, turn: number, { complete }: Payload) {
    const { decisions } = this.#run;
    if (name === 'session.end' || (name === 'agent.turn.end' && complete === false)) return decisions.at(-1);
    return decisions.find((decision) => decision.turn === (name === 'agent.turn.end' ? turn : turn - 1));
  }
}

/** What tools were given and what they answered, by their calls. A model may use the id of a call again in a later turn. */
class Work {
  readonly #given = new Map<string, Json>();
  readonly #answered = new Map<string, Json>();
  readonly window: number;

  constructor(chunks: readonly Chunk[]) {
    const turns = new Map<string, number>();
    let window = 1;
    for (const chunk of chunks) {
      if (chunk.type === 'ContextChunk') window = chunk.windowSize;
      if (chunk.agent !== undefined) continue;
      if (chunk.type === 'ToolCallChunk' && chunk.status === 'PENDING') {
        turns.set(chunk.callId, chunk.turn);
        this.#given.set(`${chunk.turn} ${chunk.callId}`, chunk.arguments);
      }
      if (chunk.type === 'ToolResultChunk' && chunk.result !== undefined)
        this.#answered.set(`${turns.get(chunk.callId)} ${chunk.callId}`, chunk.result);
    }
    this.window = window;
  }

  of({ name, turn }: LoggedEvent, { callId }: Payload): Payload {
    if (!name.startsWith('tool.call.')) return {};
    const key = `${turn} ${callId}`;
    const [given, answered] = [this.#given.get(key), this.#answered.get(key)];
    return {
      ...(given === undefined ? {} : { arguments: given }),
      ...(name === 'tool.call.success' && answered !== undefined ? { result: answered } : {}),
    };
  }
}

function recordOf(value: Json | undefined): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

function numberAt(payload: Payload, key: string): number {
  const value = payload[key];
  return typeof value === 'number' ? value : 0;
}
