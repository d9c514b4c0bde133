import type { BodyEnd, BodyStep, CallBody } from './call-body.ts';
import { JsonScan } from './json-scan.ts';
import { type Marker, markerAt, toolCallClosing } from './markers.ts';
import { ClosingBody, RawBody } from './plain-bodies.ts';
import { callsInToolCall, unusable } from './read-call.ts';
import type { KnownTools, TextCall } from './text-call.ts';

interface Frame {
  readonly closing: Marker;
  readonly understand: (body: string, cut: boolean) => readonly TextCall[];
  readonly next: CallBody | undefined;
  /** When the closing tag was needed to find the end. */
  readonly afterFailure: CallBody | undefined;
}

/** JSON inside an element. Its own brackets end it, so that a closing tag within a string does not. */
export class JsonBody implements CallBody {
  readonly #scan = new JsonScan();
  readonly #pieces: string[] = [];

  constructor(private readonly frame: Frame) {}

  read(text: string, from: number): BodyStep {
    const at = this.#scan.read(text, from);
    this.#pieces.push(text.slice(from, at));
    if (this.#scan.state === 'open') return { more: at };
    const body = this.#pieces.join('');
    const { closing, understand, next, afterFailure } = this.frame;
    if (this.#scan.state === 'closed') return { at, calls: understand(body, false), next };
    return this.#closedIn(body, at) ?? { at, next: new RawBody(closing, understand, afterFailure, body) };
  }

  end(): BodyEnd {
    const body = this.#pieces.join('');
    return this.#closedIn(body) ?? { calls: this.frame.understand(body, true) };
  }

  /** Broken JSON ends with the first closing tag; what was read beyond it is read again. */
  #closedIn(body: string, at?: number): BodyEnd | undefined {
    for (let place = body.indexOf('</'); place !== -1; place = body.indexOf('</', place + 1)) {
      const closing = markerAt(this.frame.closing, body, place);
      if (typeof closing !== 'object') continue;
      const calls = this.frame.understand(body.slice(0, place), false);
      const rest = { calls, again: body.slice(closing.end), next: this.frame.afterFailure };
      return at === undefined ? rest : { ...rest, at };
    }
    return undefined;
  }
}

/** A tool's name directly before JSON. There is no closing tag: what turns out to be no JSON is text after all. */
export class InlineBody implements CallBody {
  readonly #scan = new JsonScan();
  readonly #pieces: string[] = [];

  constructor(private readonly name: string) {}

  read(text: string, from: number): BodyStep {
    const at = this.#scan.read(text, from);
    this.#pieces.push(text.slice(from, at));
    if (this.#scan.state === 'open') return { more: at };
    const input = this.#pieces.join('');
    if (this.#scan.state === 'closed') return { at, calls: [{ name: this.name, input }] };
    return { at, text: `${this.name}{`, again: input.slice(1) };
  }

  end(): BodyEnd {
    return { calls: [unusable(this.#pieces.join(''), true, this.name)] };
  }
}

/** A `tool_call` element that holds JSON; several objects in one are several calls. */
export function toolCallJson(tools: KnownTools, next: CallBody | undefined): CallBody {
  const another = () => toolCallJson(tools, next);
  return new JsonBody({
    closing: toolCallClosing,
    understand: (body, cut) => callsInToolCall(body, tools, cut),
    next: new ClosingBody(toolCallClosing, next, another),
    afterFailure: next,
  });
}
