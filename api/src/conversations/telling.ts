import type { Ending } from '../agent/ending.ts';
import { withoutClosing } from '../agent/explanation.ts';
import type { Json } from '../agent/json.ts';
import type { ExchangeKind, ExchangeToolCall } from '../store/entities/exchange.ts';

/** What of an exchange a model may be told. */
export interface TellableExchange {
  readonly kind: ExchangeKind;
  readonly question: string;
  readonly answer: string;
  readonly partial: boolean;
  readonly ending?: Ending | null | undefined;
}

/** A question with everything that was answered to it. */
export interface ToldExchange {
  readonly question: string;
  readonly answer: string;
  readonly partial: boolean;
}

/** What an exchange leaves to one that goes on with it. */
export interface LeftWork {
  readonly answer: string;
  readonly calls: readonly LeftCall[];
}

export interface LeftCall {
  readonly name: string;
  readonly arguments: Json;
  readonly turn: number;
  readonly ok: boolean;
  readonly result: string;
  readonly answerLength: number;
}

/**
 * A path, root first, as the model is reminded of it. Exchanges that went on with the one before them are one with it:
 * the question stands once, followed by all that was written. Should the path begin in the middle of such a row, its
 * first exchange has the question too.
 */
export function tellHistory(path: readonly TellableExchange[]): readonly ToldExchange[] {
  const rows: TellableExchange[][] = [];
  for (const exchange of path) {
    const row = exchange.kind === 'ASK' ? undefined : rows.at(-1);
    if (row) row.push(exchange);
    else rows.push([exchange]);
  }
  return rows.map(tellRow);
}

/** Where the row of exchanges that the last one belongs to begins. */
export function startOfRow(path: readonly Pick<TellableExchange, 'kind'>[]): number {
  return Math.max(
    0,
    path.findLastIndex(({ kind }) => kind === 'ASK'),
  );
}

/** Calls that were never run leave nothing; those whose end is not known leave that. */
export function leftWork(exchange: TellableExchange, toolCalls: readonly ExchangeToolCall[]): LeftWork {
  return { answer: written(exchange), calls: toolCalls.filter(({ fate }) => fate !== 'not-run').map(leftCall) };
}

/** An answer that was given at last from what had been found stands for itself; otherwise piece follows piece. */
function tellRow(row: readonly TellableExchange[]): ToldExchange {
  const whole = row.findLastIndex(({ kind, partial }) => kind === 'ANSWER_NOW' && !partial);
  const pieces = row.slice(Math.max(0, whole));
  const last = row.at(-1);
  const texts = pieces.map((piece) => (piece === last ? piece.answer : written(piece)));
  return {
    question: row[0]?.question ?? '',
    answer: texts.filter((text) => text.trim() !== '').join('\n\n'),
    partial: last?.partial ?? true,
  };
}

function written({ answer, ending }: TellableExchange): string {
  return ending ? withoutClosing(answer, ending) : answer;
}

function leftCall({ name, arguments: given, turn, fate, result, error, answerLength }: ExchangeToolCall): LeftCall {
  const ok = fate === 'succeeded';
  const text = ok ? textOf(result ?? null) : (error ?? unfinished);
  return { name, arguments: given, turn, ok, result: text, answerLength };
}

const unfinished = 'This call was broken off; whether it did its work is not known.';

function textOf(result: Json): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
