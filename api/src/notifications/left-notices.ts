import { createHash } from 'node:crypto';
import { counted } from '../agent/words.ts';
import { payloadOf } from '../events/event.ts';
import type { ModelNotice } from '../events/model-notice.ts';
import type { SelfNotice } from '../events/self-notices.ts';
import { priorities } from '../events/subscriber.ts';
import { fillTemplate } from '../events/template.ts';

/** What is left for the next session of the same person and project: its words, and how much they matter. */
export type LeftNotice = Pick<SelfNotice, 'id' | 'message' | 'category' | 'priority'>;

/** What a run leaves behind of its notices. */
export interface LeftOver {
  /** Claimed from an earlier session and never heard: they go back to where they came from. */
  readonly back: readonly string[];
  readonly fresh: readonly LeftNotice[];
  /** How many there was no room for. */
  readonly dropped: number;
}

/** So much may one session leave for the next, and be told at its beginning. */
export const mostBetweenSessions = 20;

/** Of the run and of what in it made the notice: whoever leaves it, and however often, it is there once. */
export function noticeIdOf(runId: string, maker: string): string {
  const hash = createHash('md5').update(`${runId}${maker}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What in a run makes a reminder: a tool call. Models may repeat the id of a call in a later turn. */
export function reminderIdOf(runId: string, turn: number, callId: string): string {
  return noticeIdOf(runId, `${turn} ${callId}`);
}

/**
 * Gathers what the model never heard. When there is more than a session is told, reminders go before everything else,
 * then what matters most, then the oldest; the last notice says how many are missing.
 */
export function leftOverOf(runId: string, unheard: readonly ModelNotice[], waiting: readonly SelfNotice[]): LeftOver {
  const back: string[] = [];
  const reminders: LeftNotice[] = [];
  const others: LeftNotice[] = [];
  const takeReminder = ({ fromEarlier = false, ...notice }: LeftNotice & Pick<SelfNotice, 'fromEarlier'>) => {
    if (fromEarlier) back.push(notice.id);
    else reminders.push(notice);
  };
  for (const { subscriber, entry } of unheard) {
    if (entry.event.name === 'agent.self.notify') {
      const { noticeId: id, ...reminder } = entry.event.payload;
      takeReminder({ id, ...reminder });
      continue;
    }
    const { template, id: category, priority } = subscriber;
    const message = fillTemplate(template, payloadOf(entry.event), entry.times);
    others.push({ id: noticeIdOf(runId, `${category} ${entry.first}`), message, category, priority });
  }
  for (const notice of waiting) takeReminder(notice);
  return { back, ...bounded(runId, [...byPriority(reminders), ...byPriority(others)]) };
}

function bounded(runId: string, notices: readonly LeftNotice[]): Pick<LeftOver, 'fresh' | 'dropped'> {
  if (notices.length <= mostBetweenSessions) return { fresh: notices, dropped: 0 };
  const kept = notices.slice(0, mostBetweenSessions - 1);
  const dropped = notices.length - kept.length;
  const summary: LeftNotice = {
    id: noticeIdOf(runId, 'left out'),
    message: `${counted(dropped, 'less important notice')} of the session before could not be kept.`,
    category: 'left-out',
    priority: 'LOW',
  };
  return { fresh: [...kept, summary], dropped };
}

/** Of what matters alike, the oldest stays first. */
function byPriority(notices: readonly LeftNotice[]): readonly LeftNotice[] {
  return notices.toSorted((one, other) => priorities.indexOf(one.priority) - priorities.indexOf(other.priority));
}
