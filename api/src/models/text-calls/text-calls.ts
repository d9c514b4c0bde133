import type { BodyEnd, BodyStep, CallBody } from './call-body.ts';
import { FenceWatch } from './fence-watch.ts';
import { InlineBody } from './json-body.ts';
import { anyClosing, markerAt } from './markers.ts';
import type { KnownTools, Segment } from './text-call.ts';
import { openingAt } from './wrapper-body.ts';

/** Nothing else begins a call. */
const trigger = /[<{]/g;
/** What can follow `<` in the tags of calls: every other one is passed by without a closer look. */
const tagLetters = 'fita/|｜';
const wordCharacter = /\w/;
const mostBlanks = 64;
/** Malformed calls make parts of the text be read again; past this many characters of it, the rest is left as it is. */
const mostReadAgain = 4_000_000;
/** Longer deltas are read bit by bit, so that putting back what was held costs little. */
const longestPiece = 4_096;

/**
 * Finds the tool calls in a text that comes in arbitrary pieces. Everything else passes unchanged, at once: only what may
 * still become a call is held back, until it does or cannot any more. The result does not depend on the pieces.
 *
 * Pure: nothing but the text decides. Time grows with the length of the text.
 */
export class TextCalls {
  readonly #names: ToolNames;
  readonly #fences = new FenceWatch();
  /** To be read, first piece first. */
  readonly #queue: string[] = [];
  /** Undecided; short, unless a body holds it. */
  #held = '';
  #body: CallBody | undefined;
  /** The last character for the reader; a letter before a tool's name makes it another word. */
  #before = '';
  #found = false;
  #readAgain = 0;

  constructor(private readonly tools: KnownTools) {
    this.#names = namesOf(tools);
  }

  /** Something is held back that may still become a call, or is part of one. */
  get holds(): boolean {
    return this.#held !== '' || this.#body !== undefined;
  }

  /**
   * Takes a delta that is for the reader as it is, as nearly all are. False, and nothing is taken, when it needs a closer
   * look.
   */
  passWhole(delta: string): boolean {
    if (this.holds || delta.length > longestPiece || delta.includes('<') || delta.includes('{')) return false;
    if (this.#mayGoOn(delta, 0) < delta.length) return false;
    this.#fences.see(delta, 0, delta.length);
    if (delta !== '') this.#before = delta.charAt(delta.length - 1);
    return true;
  }

  push(delta: string, out: Segment[]): void {
    for (let at = 0; at < delta.length; at += longestPiece) {
      this.#queue.push(delta.length > longestPiece ? delta.slice(at, at + longestPiece) : delta);
      this.#run(out, false);
    }
  }

  /** The reader is about to be told something else: lets go of what might have become a call, unless one is under way. */
  release(out: Segment[]): void {
    if (this.#body === undefined && this.#held !== '') this.#pass(this.#take(), 0, out);
  }

  end(out: Segment[]): void {
    for (;;) {
      this.#run(out, true);
      if (this.#body === undefined) break;
      const ended = this.#body.end();
      this.#body = undefined;
      this.#conclude(ended, out);
    }
  }

  #run(out: Segment[], last: boolean): void {
    while (this.#queue.length > 0 || (last && this.#held !== '')) {
      const text = this.#take() + (this.#queue.shift() ?? '');
      for (let at = 0; at < text.length; ) {
        at = this.#body === undefined ? this.#readText(text, at, out, last) : this.#readBody(text, at, out, last);
      }
    }
  }

  #take(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #readBody(text: string, at: number, out: Segment[], last: boolean): number {
    const step: BodyStep = this.#body?.read(text, at, last) ?? { at };
    if ('more' in step) {
      if (step.more > at) out.push({ type: 'markup', text: text.slice(at, step.more) });
      this.#held = text.slice(step.more);
      return text.length;
    }
    const end = step.at ?? text.length;
    if (end > at) out.push({ type: 'markup', text: text.slice(at, end) });
    this.#body = step.next;
    if (!('again' in step) || step.again === undefined) {
      this.#conclude(step, out);
      return end;
    }
    this.#queue.unshift(text.slice(end));
    this.#conclude(step, out);
    return text.length;
  }

  #conclude({ calls = [], text = '', again = '' }: BodyEnd, out: Segment[]): void {
    for (const call of calls) out.push({ type: 'call', call });
    this.#found ||= calls.length > 0;
    this.#before = '';
    if (text !== '') this.#pass(text, 0, out);
    if (again === '') return;
    this.#readAgain += again.length;
    if (this.#readAgain > mostReadAgain) this.#pass(again, 0, out);
    else this.#queue.unshift(again);
  }

  /** Reads what is for the reader, up to the next call or the end. */
  #readText(text: string, from: number, out: Segment[], last: boolean): number {
    let seen = from;
    trigger.lastIndex = from;
    for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
      const at = found.index;
      this.#fences.see(text, seen, at);
      seen = at;
      if (this.#fences.fenced) continue;
      const start = found[0] === '{' ? this.#nameBefore(text, from, at) : at;
      if (start === undefined) continue;
      const opening = found[0] === '{' ? this.#inlineAt(text, start, at) : this.#tagAt(text, at);
      if (opening === undefined || (opening === 'held' && last)) continue;
      this.#passSeen(text.slice(from, start), out);
      if (opening === 'held') {
        this.#held = text.slice(start);
        return text.length;
      }
      if (opening.at > start) out.push({ type: 'markup', text: text.slice(start, opening.at) });
      this.#body = opening.next;
      this.#before = '';
      return opening.at;
    }
    this.#fences.see(text, seen, text.length); // a word that is held is seen twice, which makes no difference
    const end = last ? text.length : this.#wordAtEnd(text, from);
    this.#passSeen(text.slice(from, end), out);
    this.#held = text.slice(end);
    return text.length;
  }

  #tagAt(text: string, at: number) {
    const next = text.charAt(at + 1);
    if (next !== '' && !tagLetters.includes(next)) return undefined;
    const opening = openingAt(text, at, this.tools);
    if (opening !== undefined || !this.#found) return opening;
    const leftOver = markerAt(anyClosing, text, at);
    return typeof leftOver === 'object' ? { at: leftOver.end } : leftOver;
  }

  /** Where the name of a tool begins that stands right before this place, as a word of its own. */
  #nameBefore(text: string, from: number, at: number): number | undefined {
    const start = this.#wordStart(text, from, at);
    return this.tools.has(text.slice(start, at)) && !this.#continues(text, from, start) ? start : undefined;
  }

  #inlineAt(text: string, start: number, brace: number) {
    let place = brace + 1;
    while (place - brace <= mostBlanks && /\s/.test(text.charAt(place))) place += 1;
    const next = text.charAt(place);
    if (next === '') return 'held';
    return next === '"' || next === '}' ? { at: brace, next: new InlineBody(text.slice(start, brace)) } : undefined;
  }

  /** Where a word at the end begins that may become the name of a tool; the end when there is none. */
  #wordAtEnd(text: string, from: number): number {
    return this.#fences.fenced ? text.length : this.#mayGoOn(text, from);
  }

  /** The same, wherever it stands. */
  #mayGoOn(text: string, from: number): number {
    if (!wordCharacter.test(text.charAt(text.length - 1))) return text.length;
    const start = this.#wordStart(text, from, text.length);
    const held = this.#names.beginnings.has(text.slice(start)) && !this.#continues(text, from, start);
    return held ? start : text.length;
  }

  #wordStart(text: string, from: number, end: number): number {
    let start = end;
    const least = Math.max(from, end - this.#names.longest);
    while (start > least && wordCharacter.test(text.charAt(start - 1))) start -= 1;
    return start;
  }

  /** Whether the word that seems to begin here began earlier. */
  #continues(text: string, from: number, start: number): boolean {
    return wordCharacter.test(start > from ? text.charAt(start - 1) : this.#before);
  }

  #pass(text: string, from: number, out: Segment[]): void {
    this.#fences.see(text, from, text.length);
    this.#passSeen(text.slice(from), out);
  }

  #passSeen(text: string, out: Segment[]): void {
    if (text === '') return;
    this.#before = text.charAt(text.length - 1);
    out.push({ type: 'text', text });
  }
}

interface ToolNames {
  /** All beginnings of them. */
  readonly beginnings: ReadonlySet<string>;
  readonly longest: number;
}

const known = new WeakMap<KnownTools, ToolNames>();

/** Found out once for all replies with the same tools. */
function namesOf(tools: KnownTools): ToolNames {
  let names = known.get(tools);
  if (names === undefined) {
    const all = [...tools.keys()];
    const beginnings = new Set(all.flatMap((name) => [...name].map((_, end) => name.slice(0, end + 1))));
    names = { beginnings, longest: Math.max(0, ...all.map((name) => name.length)) };
    known.set(tools, names);
  }
  return names;
}
