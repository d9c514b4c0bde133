import type { Json } from '../agent/json.ts';
import { stalledTurns } from '../agent/progress.ts';
import { type AgentState, tokensSoFar, usageSoFar } from '../agent/state.ts';
import { payloadOf, type RunEvent } from '../events/event.ts';
import type { RunView } from '../events/run-events.ts';
import { type CommonFacts, type EndingFact, mostTools, type RuleFacts, type ToolFact } from '../rules/vocabulary.ts';
import type { RunSubject } from './rule-store.ts';

/** What the run itself knows, as it tells rules. Its getters work a fact out when it is asked for. */
export type RunFacts = Omit<CommonFacts, 'state' | 'event' | 'user' | 'project'>;

/** What does not change during a run. */
export interface AboutRun {
  readonly runId: string;
  readonly question: string;
  readonly modelName: string;
  readonly treeName: string;
}

/** The facts of a run under way. Each is worked out when it is asked for. */
export function runFacts(view: RunView, { runId, question, modelName, treeName }: AboutRun): RunFacts {
  let known: { readonly state: AgentState; readonly count: number; readonly history: RunFacts['history'] } | undefined;
  return {
    question,
    run: { id: runId, model: modelName, decisionTree: treeName },
    get turn() {
      return view.turn();
    },
    get elapsed() {
      return (view.now() - view.state().startTime) / 1_000;
    },
    get tokens() {
      const { inputTokens, outputTokens } = usageSoFar(view.state());
      const used = tokensSoFar(view.state());
      const budget = view.state().config.tokenBudget;
      const left = Math.max(0, budget - used);
      return { used, input: inputTokens, output: outputTokens, budget, left, share: used / budget };
    },
    get context() {
      const tokens = Math.round(view.promptTokens());
      return { tokens, window: view.windowSize, share: tokens / view.windowSize };
    },
    get limits() {
      return view.state().config;
    },
    get history() {
      const state = view.state();
      const count = view.toolCalls().length;
      if (known?.state !== state || known.count !== count) known = { state, count, history: historyOf(view) };
      return known.history;
    },
  };
}

function historyOf(view: RunView): RunFacts['history'] {
  const executed = view.toolCalls().filter(({ outcome }) => outcome.status !== 'not-run');
  return {
    messages: view.messages(),
    toolCalls: executed.length,
    failures: executed.filter(({ outcome }) => outcome.status === 'failed').length,
    repeats: stalledTurns(view.state()).turns,
    errorStreak: view.state().errorStreak,
    tools: executed.slice(-mostTools).map(({ turn, durationMs, outcome }) => ({
      name: outcome.name,
      ok: outcome.status === 'succeeded',
      error: outcome.status === 'failed' ? outcome.error : '',
      turn,
      durationMs,
    })),
  };
}

interface Whom {
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
}

/** What the rules see that an event has woken. */
export function factsAt(
  event: RunEvent,
  run: RunFacts,
  { userId, projectId, subject }: Whom,
  estimateTokens: (text: string) => number,
  /** What the rule remembers that is being asked. */
  state: () => Readonly<Record<string, Json>>,
): RuleFacts {
  const { name, severity } = event;
  const payload = payloadOf(event) as Readonly<Record<string, Json>>;
  return Object.create(run, {
    user: { value: { id: userId, role: subject.role } },
    project: { value: { id: projectId, name: subject.projectName } },
    event: { value: { name, severity, payload } },
    state: { get: state },
    ...(name.startsWith('tool.call.') ? { tool: { value: toolFact(payload, name, estimateTokens) } } : {}),
    ...(name === 'session.end' ? { ending: { value: endingFact(payload) } } : {}),
  });
}

function toolFact(
  payload: Readonly<Record<string, Json>>,
  name: string,
  estimateTokens: (text: string) => number,
): ToolFact {
  const text = () => {
    const { result } = payload;
    return result === undefined || result === null ? '' : typeof result === 'string' ? result : JSON.stringify(result);
  };
  return {
    name: String(payload.tool ?? ''),
    arguments: isRecord(payload.arguments) ? payload.arguments : {},
    ok: name === 'tool.call.success',
    get result() {
      return text();
    },
    get resultTokens() {
      return estimateTokens(text());
    },
    error: typeof payload.error === 'string' ? payload.error : '',
    durationMs: typeof payload.durationMs === 'number' ? payload.durationMs : 0,
  };
}

function endingFact({ reason, turns, tokens, durationMs }: Readonly<Record<string, Json>>): EndingFact {
  return {
    reason: String(reason),
    turns: Number(turns),
    tokens: Number(tokens),
    seconds: Number(durationMs) / 1_000,
  };
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
