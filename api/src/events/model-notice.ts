import type { Json } from '../agent/json.ts';
import { counted } from '../agent/words.ts';
import { type Counted, type Notification, rankOf } from './accumulator.ts';
import { payloadOf } from './event.ts';
import { isTelling } from './person-notice.ts';
import type { Subscriber } from './subscriber.ts';
import { fillTemplate, partOf, valueText } from './template.ts';
import { type Table, toonTable } from './toon-table.ts';

/** Of the model's window, what notices may take, those of rules included. What the product itself says is always told. */
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
  const notices: ModelNotice[] = [];
  for (const entry of entries) {
    const { event } = entry;
    if (hintOf(event.payload) !== undefined || !isTelling(event)) notices.push({ subscriber, entry });
  }
  return notices;
}

/** What the next request says, and what has to wait for one after it. */
export interface ModelLines {
  readonly lines: readonly string[];
  readonly waiting: readonly ModelNotice[];
}

/** So many wait for the next request; the least important of more are left out. */
const mostWaiting = 100;
const none: readonly ModelNotice[] = [];

/**
 * Lines for the next request, most important first and then oldest first. Hints are sentences, everything else rows of
 * compact tables, one for each subscriber. What finds no room is counted, the least important first, and waits for the
 * next request; what would not find any there either is left out.
 */
export function modelLines(notices: readonly ModelNotice[], room: NoticeRoom): ModelLines {
  if (notices.length === 0) return { lines: [], waiting: none };
  const ordered =
    notices.length === 1
      ? notices
      : notices.toSorted((one, other) => rank(one) - rank(other) || one.entry.first - other.entry.first);
  const limit = room.windowSize * noticeShare;
  const only = loneNumbers(notices);
  if (only !== undefined && only.length <= limit) return { lines: [only], waiting: none };
  const blocks = blocksOf(ordered);
  // No text has more tokens than characters.
  if (blocks.reduce((sum, { length }) => sum + length, 0) <= limit)
    return { lines: blocks.map(harmless), waiting: none };
  const told = new Set(thoseWithin(limit, ordered, room));
  const lines = (told.size === ordered.length ? blocks : blocksOf([...told])).map(harmless);
  const omitted = ordered.filter((notice) => !told.has(notice));
  const waiting = omitted.filter((notice) => fitsAlone(notice, limit, room)).slice(0, mostWaiting);
  if (waiting.length > 0) lines.push(`${counted(waiting.length, 'less important notice')} to follow.`);
  if (omitted.length > waiting.length)
    lines.push(`${counted(omitted.length - waiting.length, 'less important notice')} left out.`);
  return { lines, waiting };
}

function fitsAlone(notice: ModelNotice, limit: number, room: NoticeRoom): boolean {
  const text = ownText(notice, new Set());
  return text.length <= limit || room.estimateTokens(text) <= limit;
}

const loneHeads = new WeakMap<Subscriber, string>();

/** The table of a single notice that is nothing but whole numbers, as of checkpoints: the head of it is known. */
function loneNumbers(notices: readonly ModelNotice[]): string | undefined {
  const [notice] = notices;
  if (!notice || notices.length > 1 || notice.entry.times > 1) return undefined;
  const { subscriber, entry } = notice;
  const payload = payloadOf(entry.event);
  let row = '';
  for (const column of subscriber.columns) {
    const value = payload[column];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || Object.is(value, -0)) return undefined;
    row += row === '' ? value : `,${value}`;
  }
  if (row === '' || hintOf(payload) !== undefined) return undefined;
  return `${loneHeadOf(notices, subscriber)}\n  ${row}`;
}

function loneHeadOf(notices: readonly ModelNotice[], subscriber: Subscriber): string {
  let head = loneHeads.get(subscriber);
  if (head === undefined) {
    head = toonTable(tableOf(notices)).split('\n', 1)[0] ?? '';
    loneHeads.set(subscriber, head);
  }
  return head;
}

/** Rows under the subscriber's id, written so that it needs no quotes. All notices are of that subscriber. */
export function tableOf(notices: readonly ModelNotice[]): Table {
  const subscriber = notices[0]?.subscriber;
  const { columns = [], template = '' } = subscriber ?? {};
  const counts = notices.some(({ entry }) => entry.times > 1);
  const parts = counts ? columns.filter((column) => column !== timesColumn) : columns;
  const names = parts.length > 0 ? parts : [messageColumn];
  return {
    name: (subscriber?.id ?? 'notices').replaceAll('-', '_'),
    columns: counts ? [...names, timesColumn] : names,
    rows: notices.map(({ entry }) => {
      const cells = cellsOf(parts, template, entry);
      if (counts) cells.push(entry.times);
      return cells;
    }),
  };
}

const messageColumn = 'message';
const timesColumn = 'times';

function blocksOf(notices: readonly ModelNotice[]): readonly string[] {
  const blocks: string[] = [];
  const tabled: string[] = [];
  for (const notice of notices) {
    const { id } = notice.subscriber;
    const hint = hintOf(notice.entry.event.payload);
    if (hint !== undefined) {
      if (!blocks.includes(hint)) blocks.push(hint); // several subscribers may tell of the same event
    } else if (!tabled.includes(id)) {
      tabled.push(id);
      blocks.push(toonTable(tableOf(notices.length === 1 ? notices : rowsAmong(notices, id))));
    }
  }
  return blocks;
}

function rowsAmong(notices: readonly ModelNotice[], id: string): readonly ModelNotice[] {
  return notices.filter(({ subscriber, entry }) => subscriber.id === id && hintOf(entry.event.payload) === undefined);
}

function cellsOf(columns: readonly string[], template: string, { event }: Counted): Json[] {
  const payload = payloadOf(event);
  if (columns.length === 0) return [fillTemplate(template.replaceAll('{times}', ''), payload, 1)];
  return columns.map((column) => cell(partOf(payload, column)));
}

function cell(value: Json | undefined): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? value : valueText(value);
}

function hintOf(payload: object): string | undefined {
  return 'hint' in payload && typeof payload.hint === 'string' ? payload.hint : undefined;
}

/** In the same order. Each is measured by itself, and only until the room is taken: there may be hundreds of them. */
function thoseWithin(limit: number, ordered: readonly ModelNotice[], room: NoticeRoom): readonly ModelNotice[] {
  const tabled = new Set<string>();
  const size = (notice: ModelNotice) => room.estimateTokens(ownText(notice, tabled));
  let taken = ordered.filter(isProductsOwn).reduce((sum, notice) => sum + size(notice), 0);
  return ordered.filter((notice) => {
    if (isProductsOwn(notice)) return true;
    if (taken <= limit) taken += size(notice);
    return taken <= limit;
  });
}

/**
 * How many of these there are and how long they get is known, as they are written in the program. A rule or a file can
 * say anything at any length, and `core` only means that nobody can switch it off.
 */
function isProductsOwn({ subscriber, entry: { event } }: ModelNotice): boolean {
  return subscriber.core && !event.name.startsWith('rule.') && hintOf(event.payload) !== undefined;
}

/** What it adds to the lines: a sentence, or a row, with the head of its table when it is the first. */
function ownText(notice: ModelNotice, tabled: Set<string>): string {
  const hint = hintOf(notice.entry.event.payload);
  if (hint !== undefined) return hint;
  const table = toonTable(tableOf([notice]));
  if (!tabled.has(notice.subscriber.id)) {
    tabled.add(notice.subscriber.id);
    return table;
  }
  return table.slice(table.indexOf('\n'));
}

/** What a tool or a note wrote cannot close the frame that notices come in. */
function harmless(text: string): string {
  return text.includes('<') ? text.replace(/<(\/?)(?=notice\b)/gi, '‹$1') : text;
}

function rank({ subscriber, entry }: ModelNotice): number {
  return rankOf(subscriber, entry);
}
