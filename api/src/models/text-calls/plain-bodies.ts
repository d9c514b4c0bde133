import { type BodyEnd, type BodyStep, type CallBody, mostBlanks, skipBlanks } from './call-body.ts';
import { type Marker, markerAt } from './markers.ts';
import type { TextCall } from './text-call.ts';

/** Everything up to a closing tag, understood when it is complete. */
export class RawBody implements CallBody {
  readonly #pieces: string[];

  constructor(
    private readonly closing: Marker,
    private readonly understand: (body: string, cut: boolean) => readonly TextCall[],
    private readonly next: CallBody | undefined,
    before = '',
  ) {
    this.#pieces = [before];
  }

  read(text: string, at: number, last: boolean): BodyStep {
    for (let place = text.indexOf('<', at); place !== -1; place = text.indexOf('<', place + 1)) {
      const closing = markerAt(this.closing, text, place);
      if (closing === undefined || (closing === 'held' && last)) continue;
      this.#pieces.push(text.slice(at, place));
      if (closing === 'held') return { more: place };
      return { at: closing.end, calls: this.understand(this.#pieces.join(''), false), next: this.next };
    }
    this.#pieces.push(text.slice(at));
    return { more: text.length };
  }

  end(): BodyEnd {
    return { calls: this.understand(this.#pieces.join(''), true) };
  }
}

/** After a complete call: its closing tag, if it comes. */
export class ClosingBody implements CallBody {
  constructor(
    private readonly closing: Marker,
    private readonly next: CallBody | undefined,
    /** Another call of the same kind may follow at once. */
    private readonly another?: () => CallBody,
  ) {}

  read(text: string, at: number, last: boolean): BodyStep {
    const place = skipBlanks(text, at);
    const character = text.charAt(place);
    if (character === '') return last || place - at > mostBlanks ? this.#leave(at) : { more: at };
    if (this.another !== undefined && character === '{') return { at: place, next: this.another() };
    if (this.another !== undefined && character === '}') return { at: place + 1, next: this }; // one bracket too many
    const closing = character === '<' ? markerAt(this.closing, text, place) : undefined;
    if (typeof closing === 'object') return { at: closing.end, next: this.next };
    return closing === 'held' && !last && place - at <= mostBlanks ? { more: at } : this.#leave(at);
  }

  end(): BodyEnd {
    return {};
  }

  #leave(at: number): BodyEnd {
    return { at, next: this.next };
  }
}
