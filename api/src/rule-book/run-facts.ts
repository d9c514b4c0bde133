import type { Json } from '../agent/json.ts';
import type { RunEvent } from '../events/event.ts';
import { payloadOf } from '../events/event.ts';
import type { CommonFacts, EndingFact, RuleFacts, ToolFact } from '../rules/vocabulary.ts';
import type { RunSubject } from './rule-store.ts';

/** What the run itself knows, as it tells rules. Its getters work a fact out when it is asked for. */
export type RunFacts = Omit<CommonFacts, 'state' | 'event' | 'user' | 'project'>;

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
): RuleFacts {
  const { name, severity } = event;
  const payload = payloadOf(event) as Readonly<Record<string, Json>>;
  return Object.create(run, {
    user: { value: { id: userId, role: subject.role } },
    project: { value: { id: projectId, name: subject.projectName } },
    event: { value: { name, severity, payload } },
    ...(name.startsWith('tool.call.') ? { tool: { value: toolFact(payload, name, estimateTokens) } } : {}),
    ...(name === 'session.end' ? { ending: { value: endingFact(payload) } } : {}),
  });
}

/** The same facts with what one rule remembers. */
export function withState(facts: RuleFacts, state: Readonly<Record<string, Json>>): RuleFacts {
  return Object.create(facts, { state: { value: state } });
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
