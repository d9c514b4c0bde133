import { canonicalJson } from '../../agent/json.ts';
import { type BodyEnd, type BodyStep, type CallBody, skipBlanks } from './call-body.ts';
import { JsonBody } from './json-body.ts';
import { invokeClosing, markerAt, parameterClosing, parameterOpening, wrapperClosing } from './markers.ts';
import { ClosingBody, RawBody } from './plain-bodies.ts';
import { callOf, type WrittenParameter } from './read-call.ts';
import { type KnownTools, problems, type TextCall } from './text-call.ts';

/** The inside of an `invoke` element: parameters, or one JSON object. */
export class InvokeBody implements CallBody {
  readonly #parameters: WrittenParameter[] = [];

  constructor(
    private readonly name: string,
    private readonly tools: KnownTools,
    private readonly next: CallBody | undefined,
  ) {}

  read(text: string, from: number, last: boolean): BodyStep {
    const at = skipBlanks(text, from);
    if (at === text.length) return { more: at };
    if (text.charAt(at) === '{' && this.#parameters.length === 0) return { at, next: this.#json() };
    if (text.charAt(at) !== '<') return { at, next: this.#unreadable() };
    const parameter = markerAt(parameterOpening, text, at);
    if (typeof parameter === 'object') {
      const [name = '', attributes = ''] = parameter.found.slice(1).filter((part) => part !== undefined);
      return { at: parameter.end, next: new ValueBody(this, name, attributes) };
    }
    const closing = markerAt(invokeClosing, text, at);
    if (typeof closing === 'object') return { at: closing.end, calls: [this.call()], next: this.next };
    const wrapper = markerAt(wrapperClosing, text, at);
    if (typeof wrapper === 'object') return { at, calls: [this.call()], next: this.next };
    if (!last && [parameter, closing, wrapper].includes('held')) return { more: at };
    return { at, next: this.#unreadable() };
  }

  /** Without its closing tag it is complete all the same: some servers take that tag for the end of the reply. */
  end(): BodyEnd {
    return { calls: [this.#parameters.length > 0 ? this.call() : this.unusable('', true)] };
  }

  add(parameter: WrittenParameter): this {
    this.#parameters.push(parameter);
    return this;
  }

  call(): TextCall {
    return callOf(this.name, this.#parameters, this.tools);
  }

  unusable(rest: string, cut: boolean): TextCall {
    const read = Object.fromEntries(this.#parameters.map(({ name, text }) => [name, text]));
    return {
      name: this.name,
      input: `${canonicalJson(read)}${rest}`,
      problem: cut ? problems.cutOff : problems.unreadable,
    };
  }

  #json(): CallBody {
    return new JsonBody({
      closing: invokeClosing,
      understand: (body, cut) => [
        cut ? { name: this.name, input: body, problem: problems.cutOff } : { name: this.name, input: body },
      ],
      next: new ClosingBody(invokeClosing, this.next),
      afterFailure: this.next,
    });
  }

  #unreadable(): CallBody {
    return new RawBody(invokeClosing, (rest, cut) => [this.unusable(rest, cut)], this.next);
  }
}

/** The value of one parameter: anything at all, up to its closing tag. */
class ValueBody implements CallBody {
  readonly #pieces: string[] = [];
  #length = 0;
  /** The end of the whole call, met inside the value: the value's own end is missing, unless it still comes. */
  #callEnd: { readonly from: number; readonly to: number } | undefined;

  constructor(
    private readonly invoke: InvokeBody,
    private readonly name: string,
    private readonly attributes: string,
  ) {}

  read(text: string, at: number, last: boolean): BodyStep {
    for (let place = text.indexOf('</', at); place !== -1; place = text.indexOf('</', place + 1)) {
      const closing = markerAt(parameterClosing, text, place);
      if (typeof closing === 'object') {
        this.#keep(text.slice(at, place));
        return { at: closing.end, next: this.invoke.add(this.#written(this.#pieces.join(''))) };
      }
      const callEnd = markerAt(invokeClosing, text, place);
      if (!last && (closing === 'held' || callEnd === 'held')) return this.#wait(text, at, place);
      if (typeof callEnd === 'object') {
        const from = this.#length + place - at;
        this.#callEnd ??= { from, to: from + callEnd.end - place };
      }
    }
    return this.#wait(text, at, text.endsWith('<') && !last ? text.length - 1 : text.length);
  }

  end(): BodyEnd {
    const value = this.#pieces.join('');
    if (this.#callEnd === undefined) return { calls: [this.invoke.unusable(value, true)] };
    const { from, to } = this.#callEnd;
    return { calls: [this.invoke.add(this.#written(value.slice(0, from))).call()], again: value.slice(to) };
  }

  #wait(text: string, at: number, to: number): BodyStep {
    this.#keep(text.slice(at, to));
    return { more: to };
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #written(text: string): WrittenParameter {
    return { name: this.name, text, attributes: this.attributes };
  }
}
