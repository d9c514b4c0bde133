import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { longestArguments } from '../tool-arguments.ts';
import { isLoose, textOf } from './chat-chunk.ts';

interface Call {
  readonly place: number;
  readonly index: unknown;
  id: string;
  name: string;
  pieces: string[];
  length: number;
}

interface Piece {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Puts tool calls together from their deltas, whose index, id and name may be missing, empty or repeated. */
export class CallAssembly {
  readonly #calls: Call[] = [];

  add(delta: unknown, parts: LanguageModelV4StreamPart[]): void {
    if (!isLoose(delta)) return;
    const called = isLoose(delta.function) ? delta.function : {};
    const piece = { id: textOf(delta.id), name: textOf(called.name), text: argumentsText(called.arguments) };
    const call = this.#find(delta.index, piece) ?? this.#open(delta.index);
    call.id ||= piece.id;
    call.name ||= piece.name;
    // Beyond the limit the rest is not kept: the call is refused for its length anyway.
    if (piece.text === '' || call.length > longestArguments) return;
    call.pieces.push(piece.text);
    call.length += piece.text.length;
    parts.push({ type: 'tool-input-delta', id: String(call.place), delta: piece.text });
  }

  end(parts: LanguageModelV4StreamPart[]): void {
    for (const { id, name, pieces } of this.#calls.splice(0)) {
      parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input: pieces.join('') });
    }
  }

  #open(index: unknown): Call {
    const call = { place: this.#calls.length, index, id: '', name: '', pieces: [], length: 0 };
    this.#calls.push(call);
    return call;
  }

  /** The call that this piece goes on with; undefined when it begins another one. */
  #find(index: unknown, piece: Piece): Call | undefined {
    const latest = this.#calls.findLast((call) => typeof index !== 'number' || call.index === index);
    if (latest === undefined || !beginsAnother(latest, piece)) return latest;
    return piece.name === '' ? this.#calls.find((call) => call.id === piece.id) : undefined;
  }
}

/** Parallel calls come under one index, or under one id, or without either: then only the rest can tell. */
function beginsAnother(latest: Call, { id, name, text }: Piece): boolean {
  if (id !== '' && latest.id !== '' && id !== latest.id) return true;
  if (name === '' || latest.name === '') return false;
  return name !== latest.name || (text !== '' && isComplete(latest));
}

function isComplete({ pieces }: Call): boolean {
  if (!pieces[0]?.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(pieces.join(''));
    return true;
  } catch {
    return false;
  }
}

/** Some servers send the arguments as an object instead of as text. */
function argumentsText(given: unknown): string {
  return isLoose(given) ? JSON.stringify(given) : textOf(given);
}
