import type { Json } from '../agent/json.ts';
import { counted } from '../agent/words.ts';
import { type Counted, type Notification, priorityOf } from './accumulator.ts';
import { type JsonRecord, payloadOf } from './event.ts';
import { isTelling } from './person-notice.ts';
import { priorities, type Subscriber } from './subscriber.ts';
import { fillTemplate, valueText } from './template.ts';
import { toonTable } from './toon-table.ts';

/** Of the model's window, what notices beside the core's may take. */
export const noticeShare = 0.05;

export interface NoticeRoom {
  readonly windowSize: number;
  estimateTokens(text: string): number;
}

/** One thing that the model should know. */
export interface ModelNotice {
  readonly subscriber: Subscriber;
  readonly entry: Counted;
}

/** What of a notification is for the model. The core says for itself whether it has a hint. */
export function modelNotices({ subscriber, entries }: Notification): readonly ModelNotice[] {
  if (!subscriber.tell.includes('MODEL')) return [];
  return entries
    .filter(({ event }) => hintOf(event.payload) !== undefined || !isTelling(event.payload))
    .map((entry) => ({ subscriber, entry }));
}

/**
 * Lines for the next request, most important first and then oldest first. Hints are sentences, everything else rows of
 * compact tables, one for each subscriber. What finds no room is left out, the least important first, and counted.
 */
export function modelLines(notices: readonly ModelNotice[], room: NoticeRoom): readonly string[] {
  if (notices.length === 0) return [];
  const ordered =
    notices.length === 1
      ? notices
      : notices.toSorted((one, other) => rank(one) - rank(other) || one.entry.first - other.entry.first);
  const limit = room.windowSize * noticeShare;
  let blocks = blocksOf(ordered);
  let left = ordered;
  const optional = () => left.findLastIndex(({ subscriber }) => !subscriber.core);
  for (let last = optional(); last >= 0 && isLarger(blocks, limit, room); last = optional()) {
    left = left.toSpliced(last, 1);
    blocks = blocksOf(left);
  }
  const omitted = ordered.length - left.length;
  const lines = blocks.map(harmless);
  if (omitted > 0) lines.push(`${counted(omitted, 'less important notice')} left out.`);
  return lines;
}

/** Rows under the subscriber's id, written so that it needs no quotes. */
export function rowsOf(notices: readonly ModelNotice[]): Readonly<Record<string, readonly JsonRecord[]>> {
  const counts = notices.some(({ entry }) => entry.times > 1);
  const rows = notices.map(({ subscriber, entry }) => {
    const cells = cellsOf(subscriber, entry);
    return counts ? { ...cells, times: entry.times } : cells;
  });
  return { [(notices[0]?.subscriber.id ?? 'notices').replaceAll('-', '_')]: rows };
}

function blocksOf(notices: readonly ModelNotice[]): readonly string[] {
  const blocks: string[] = [];
  const tabled = new Set<string>();
  for (const notice of notices) {
    const hint = hintOf(notice.entry.event.payload);
    if (hint !== undefined) blocks.push(hint);
    else if (!tabled.has(notice.subscriber.id)) {
      tabled.add(notice.subscriber.id);
      const together = notices.filter(
        ({ subscriber, entry }) => subscriber.id === notice.subscriber.id && hintOf(entry.event.payload) === undefined,
      );
      for (const [name, rows] of Object.entries(rowsOf(together))) blocks.push(toonTable(name, rows));
    }
  }
  return blocks;
}

function cellsOf({ columns, template }: Subscriber, { event }: Counted): JsonRecord {
  const payload = payloadOf(event);
  if (columns.length === 0) return { message: fillTemplate(template.replaceAll('{times}', ''), payload, 1) };
  const cells: Record<string, Json> = {};
  for (const column of columns) cells[column] = cell(payload[column]);
  return cells;
}

function cell(value: Json | undefined): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? value : valueText(value);
}

function hintOf(payload: object): string | undefined {
  return 'hint' in payload && typeof payload.hint === 'string' ? payload.hint : undefined;
}

function isLarger(blocks: readonly string[], limit: number, { estimateTokens }: NoticeRoom): boolean {
  const characters = blocks.reduce((sum, block) => sum + block.length, 0);
  if (characters <= limit) return false; // no text has more tokens than characters
  return blocks.reduce((sum, block) => sum + estimateTokens(block), 0) > limit;
}

/** What a tool or a note wrote cannot close the frame that notices come in. */
function harmless(text: string): string {
  return text.includes('<') ? text.replace(/<(\/?)(?=notice\b)/gi, '‹$1') : text;
}

function rank({ subscriber, entry }: ModelNotice): number {
  return priorities.indexOf(priorityOf(subscriber, entry));
}
