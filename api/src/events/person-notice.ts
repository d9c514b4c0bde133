import type { ByAgent, Notice, Severity } from '../agent/chunk.ts';
import { type Counted, type Notification, rankOf } from './accumulator.ts';
import { type EventSeverity, payloadOf, type RunEvent, severityRank } from './event.ts';
import type { Telling } from './event-payloads.ts';
import type { Subscriber } from './subscriber.ts';
import { fillTemplate } from './template.ts';

/** In plain words for the person. What the core says is shown as it says it, all else in one notice. */
export function personNotices({ subscriber, entries }: Notification): readonly (Notice & ByAgent)[] {
  const [only] = entries;
  if (only && entries.length === 1 && !isTelling(only.event)) return [togetherNotice(subscriber.template, entries)];
  const notices: (Notice & ByAgent)[] = [];
  const others: Counted[] = [];
  for (const entry of inOrder(subscriber, entries)) {
    if (isTelling(entry.event)) notices.push(tellingNotice(subscriber.template, entry));
    else others.push(entry);
  }
  if (others.length > 0) notices.push(togetherNotice(subscriber.template, others));
  return notices;
}

/** One line for each. */
function togetherNotice(template: string, entries: readonly Counted[]): Notice {
  let message = '';
  let severest: EventSeverity = 'DEBUG';
  for (const { event, times } of entries) {
    message += `${message && '\n'}${fillTemplate(template, payloadOf(event), times)}`;
    severest = moreSevere(severest, event.severity);
  }
  const notice: Notice = { systemType: 'NOTIFICATION', severity: shown(severest), message };
  const advice = entries.length === 1 ? entries[0] && adviceOf(entries[0]) : undefined;
  return advice === undefined ? notice : { ...notice, advice };
}

/** By priority, then by age, as the model gets them. */
function inOrder(subscriber: Subscriber, entries: readonly Counted[]): readonly Counted[] {
  if (entries.length === 1) return entries;
  return entries.toSorted(
    (one, other) => rankOf(subscriber, one) - rankOf(subscriber, other) || one.first - other.first,
  );
}

/** What a rule emits is data, whatever it looks like. */
export function isTelling({ name, payload }: RunEvent): boolean {
  return 'systemType' in payload && 'message' in payload && !name.startsWith('rule.');
}

function tellingNotice(template: string, { event, times }: Counted): Notice & ByAgent {
  // Only notices of the core have this shape; the hint is the model's, everything else the person's.
  const { hint: _hint, ...notice } = event.payload as Telling & ByAgent;
  return template === '{message}' && times === 1
    ? notice
    : { ...notice, message: fillTemplate(template, payloadOf(event), times) };
}

function adviceOf({ event }: Counted): string | undefined {
  const { advice } = payloadOf(event);
  return typeof advice === 'string' ? advice : undefined;
}

function shown(severity: EventSeverity): Severity {
  if (severityRank(severity) >= severityRank('ERROR')) return 'ERROR';
  return severity === 'WARNING' ? 'WARNING' : 'INFO';
}

function moreSevere(one: EventSeverity, other: EventSeverity): EventSeverity {
  return severityRank(one) >= severityRank(other) ? one : other;
}
