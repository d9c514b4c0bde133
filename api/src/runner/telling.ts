import type { LimitType, Notice } from '../agent/chunk.ts';
import type { AgentState } from '../agent/state.ts';
import type { EventPayloads, Telling } from '../events/event-payloads.ts';
import type { RunContext } from './run-context.ts';

/** Events whose payload is what the core says. */
type TellingName = {
  [Name in keyof EventPayloads]: EventPayloads[Name] extends Telling ? Name : never;
}[keyof EventPayloads];

/** Something the person should know, and perhaps the model: as the event that it is. Who is told is the subscribers' matter. */
export function tell(run: RunContext, notice: Notice, hint?: string): void {
  const payload = hint === undefined ? notice : { ...notice, hint };
  run.events.emit(eventOf(notice), payload as Telling & { readonly agent: string }, severityOf(notice));
}

/** How the conversation with the model stands. */
export function standingOf({ promptTokens, messages }: RunContext) {
  return { contextTokens: Math.round(promptTokens), messages: messages.length };
}

/** What a tree attached to the state since `before`. A hint that begins like a notice says the same to the model. */
export function tellAttached(run: RunContext, before: AgentState): void {
  const { state } = run;
  if (state.notices === before.notices && state.hints === before.hints) return;
  const hints = state.hints.slice(before.hints.length);
  for (const notice of state.notices.slice(before.notices.length)) {
    const place = hints.findIndex((hint) => hint.startsWith(notice.message));
    const [hint] = place < 0 ? [] : hints.splice(place, 1);
    tell(run, notice, hint);
  }
  for (const hint of hints) run.events.emit('agent.hint', { hint });
}

const nearing: Partial<Record<LimitType, TellingName>> = {
  ITERATIONS: 'budget.iteration.warning',
  TOKENS: 'budget.token.warning',
  TIME: 'budget.timeout.warning',
};

const reached: Partial<Record<LimitType, TellingName>> = {
  ITERATIONS: 'budget.iteration.exceeded',
  TOKENS: 'budget.token.exceeded',
  TIME: 'budget.timeout.exceeded',
};

function eventOf({ systemType, limitType }: Notice): TellingName {
  switch (systemType) {
    case 'LIMIT_WARNING':
      return (limitType && nearing[limitType]) ?? 'agent.notice';
    case 'LIMIT_REACHED':
      return (limitType && reached[limitType]) ?? 'agent.notice';
    case 'TOOL_LIMIT':
      return 'budget.tool_calls.exceeded';
    case 'CONTEXT_WARNING':
      return 'context.approaching_limit';
    case 'LOOP_DETECTED':
      return 'agent.loop.detected';
    case 'NO_PROGRESS':
      return 'agent.no_progress';
    case 'ERROR_LIMIT':
      return 'agent.error_limit';
    case 'NOTIFICATION':
      return 'agent.notice';
  }
}

/** A tree's own notice is as severe as it says; the others have their usual severity. */
function severityOf({ systemType, severity }: Notice): Notice['severity'] | undefined {
  return systemType === 'NOTIFICATION' ? severity : undefined;
}
