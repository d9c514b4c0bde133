export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * JSON with sorted keys and no spaces: equal values give equal text, whatever order a model wrote the keys in.
 * Works off a list instead of recursing, because a model may send arguments nested deeper than the call stack.
 */
export function canonicalJson(value: Json): string {
  return plainJson(value) ?? deepJson(value);
}

function deepJson(value: Json): string {
  const pieces: string[] = [];
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) pieces.push(next.text);
    else if (isList(next.value)) queue(pending, '[', listEntries(next.value), ']');
    else if (typeof next.value === 'object' && next.value !== null) queue(pending, '{', recordEntries(next.value), '}');
    else pieces.push(JSON.stringify(next.value) ?? 'null');
  }
  return pieces.join('');
}

/** Neither quotes nor backslashes, nothing before the space, no halves of pairs. */
const plainText = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Whether a text needs nothing but quotes to be JSON, as most do: finding out is cheaper than writing it anew. */
export function isPlain(text: string): boolean {
  return plainText.test(text);
}

/**
 * A 64-bit hash as 16 hexadecimal digits. Not cryptographic: it stands in for calls and results that may be
 * megabytes long, among the at most few thousand of one run.
 */
export function fingerprint(text: string): string {
  let first = 0x2c1b3c6d;
  let second = 0x297a2d39;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x85ebca6b);
    first ^= first >>> 15;
    second = Math.imul(second ^ unit, 0xc2b2ae35);
    second ^= second >>> 13;
  }
  const high = mix(first ^ text.length, second);
  const low = mix(second, first);
  // One piece, not sixteen joined: it is compared and looked into over and over.
  return String.fromCharCode(
    digitAt(high, 28),
    digitAt(high, 24),
    digitAt(high, 20),
    digitAt(high, 16),
    digitAt(high, 12),
    digitAt(high, 8),
    digitAt(high, 4),
    digitAt(high, 0),
    digitAt(low, 28),
    digitAt(low, 24),
    digitAt(low, 20),
    digitAt(low, 16),
    digitAt(low, 12),
    digitAt(low, 8),
    digitAt(low, 4),
    digitAt(low, 0),
  );
}

/** What most arguments are: a value without parts, or a record of such values. Undefined for all else. */
function plainJson(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (isList(value)) return value.length === 0 ? '[]' : undefined;
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const entry = value[key];
    if (typeof entry === 'object' && entry !== null) return undefined;
    if (entry === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(entry) ?? 'null'}`;
  }
  return `{${text}}`;
}

type Pending = { readonly text: string } | { readonly value: Json | undefined };

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function listEntries(list: readonly Json[]): Pending[][] {
  return list.map((value) => [{ value }]);
}

function recordEntries(record: { readonly [key: string]: Json | undefined }): Pending[][] {
  return Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => [{ text: `${JSON.stringify(key)}:` }, { value: record[key] }]);
}

/** Last piece first: what is pushed last is written next. */
function queue(pending: Pending[], open: string, entries: readonly (readonly Pending[])[], close: string): void {
  pending.push({ text: close });
  for (const [index, entry] of [...entries.entries()].reverse()) {
    for (const piece of entry.toReversed()) pending.push(piece);
    if (index > 0) pending.push({ text: ',' });
  }
  pending.push({ text: open });
}

function mix(value: number, salt: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d) ^ salt;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** The character of one hexadecimal digit. */
function digitAt(value: number, shift: number): number {
  const digit = (value >>> shift) & 15;
  return digit < 10 ? digit + 48 : digit + 87;
}
