import type { Json } from '../agent/json.ts';
import type { ToolCall } from '../agent/tool-call.ts';
import type { ModelMessage } from '../models/model-port.ts';

/** How a run goes on with what earlier runs left: with more turns, or with nothing but an answer. */
export type Resumption = 'continue' | 'answer-now';

/** What one earlier run wrote and found, oldest first when there are several. */
export interface EarlierWork {
  /** Without the words that only told how it ended. */
  readonly answer: string;
  readonly calls: readonly EarlierCall[];
}

/** A call together with what came of it: one without a result is not told to a model. */
export interface EarlierCall {
  readonly name: string;
  readonly arguments: Json;
  readonly turn: number;
  readonly ok: boolean;
  /** What the model was told, or would have been. */
  readonly result: string;
  /** How many characters of the answer stood before it. */
  readonly answerLength: number;
}

export interface ResumeOptions {
  readonly resumption: Resumption;
  /** Tokens that all of it may take. */
  readonly room: number;
  measure(message: ModelMessage): number;
}

/** Lengths that results are cut to, one after the other, as long as there is no room. */
const shortened = [600, 0];

const goOn = [
  'Your work on this question was stopped before it was done; what you wrote and found until then stands above.',
  'Go on from there. What you write now is read right behind it: do not write it again,',
  'and do not repeat a call whose result you have.',
].join(' ');
const answerNow = [
  'Your work on this question was stopped before it was done; what you wrote and found until then stands above.',
  'Answer the question now, completely, from what is there.',
].join(' ');
const startOver = 'An earlier attempt at this question was stopped before anything came of it: begin anew.';
const leftOut = 'The earliest part of it is left out for lack of room.';

/**
 * Earlier work as the model would have it in mind, had it never been stopped: its words, each call with its result, and
 * then a notice to go on. Where there is no room for all of it, the oldest results are shortened first.
 */
export function resumedMessages(
  work: readonly EarlierWork[],
  { resumption, room, measure }: ResumeOptions,
): readonly ModelMessage[] {
  const turns = joined(work.flatMap(turnsOf));
  const kept = withinRoom(turns.map(numbered()), room, (turn) => sum(messagesOf(turn).map(measure)));
  const told = resumption === 'continue' ? goOn : answerNow;
  const sentence = kept.length < turns.length ? `${told} ${leftOut}` : kept.length === 0 ? startOver : told;
  return [...kept.flatMap(messagesOf), { role: 'user', text: `<notice>${sentence}</notice>` }];
}

interface Turn<Call = EarlierCall> {
  readonly text: string;
  readonly calls: readonly Call[];
}

type NumberedTurn = Turn<EarlierCall & { readonly callId: string }>;

/** The answer, cut where calls were made in it. */
function turnsOf({ answer, calls }: EarlierWork): readonly Turn[] {
  let written = 0;
  const turns = [...Map.groupBy(calls, (call) => call.turn).values()].map((calls) => {
    const start = written;
    written = Math.max(written, calls[0]?.answerLength ?? 0);
    return { text: answer.slice(start, written), calls };
  });
  return [...turns, { text: answer.slice(written), calls: [] }].filter(
    (turn) => turn.text.trim() !== '' || turn.calls.length > 0,
  );
}

/** Words after which nothing was called belong to the next turn: no provider wants two replies in a row. */
function joined(turns: readonly Turn[]): readonly Turn[] {
  const result: Turn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last?.calls.length === 0) {
      result[result.length - 1] = { text: `${last.text.trimEnd()}\n\n${turn.text.trimStart()}`, calls: turn.calls };
    } else result.push(turn);
  }
  return result;
}

/** Ids of their own: those of several runs may be the same. */
function numbered(): (turn: Turn) => NumberedTurn {
  let number = 0;
  return ({ text, calls }) => ({ text, calls: calls.map((call) => ({ ...call, callId: `earlier_${++number}` })) });
}

function withinRoom(
  turns: readonly NumberedTurn[],
  room: number,
  sizeOf: (turn: NumberedTurn) => number,
): readonly NumberedTurn[] {
  const kept = turns.map((turn) => ({ turn, size: sizeOf(turn) }));
  let size = sum(kept.map((each) => each.size));
  for (const length of shortened) {
    for (const [index, { turn, size: before }] of kept.entries()) {
      if (size <= room) break;
      const shorter = { ...turn, calls: turn.calls.map((call) => ({ ...call, result: cut(call.result, length) })) };
      kept[index] = { turn: shorter, size: sizeOf(shorter) };
      size += (kept[index]?.size ?? 0) - before;
    }
  }
  while (size > room && kept.length > 1) size -= kept.shift()?.size ?? 0;
  return kept.map(({ turn }) => turn);
}

function cut(text: string, length: number): string {
  const note = `[shortened: ${text.length} characters]`;
  if (text.length <= length + note.length) return text;
  return `${text.slice(0, length).toWellFormed()}${length === 0 ? '' : '… '}${note}`;
}

function messagesOf({ text, calls }: NumberedTurn): readonly ModelMessage[] {
  const toolCalls: ToolCall[] = calls.map(({ callId, name, arguments: given }) => ({ callId, name, arguments: given }));
  const results = calls.map(({ callId, name, ok, result }) => ({ callId, name, ok, text: result }));
  const reply: ModelMessage = { role: 'assistant', text, toolCalls };
  return results.length === 0 ? [reply] : [reply, { role: 'tool', results }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
