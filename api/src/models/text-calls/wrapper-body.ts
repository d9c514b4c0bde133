import { type BodyEnd, type BodyStep, type CallBody, mostBlanks, skipBlanks } from './call-body.ts';
import { InvokeBody } from './invoke-body.ts';
import { JsonBody, toolCallJson } from './json-body.ts';
import {
  anyClosing,
  invokeOpening,
  markerAt,
  tokenClosing,
  tokenOpening,
  toolCallClosing,
  toolCallOpening,
  wrapperClosing,
  wrapperOpening,
} from './markers.ts';
import { RawBody } from './plain-bodies.ts';
import { callInTokens, callsInJson, callsInToolCall, unusable } from './read-call.ts';
import { type KnownTools, unnamed } from './text-call.ts';

export type Opening = { readonly at: number; readonly next?: CallBody } | 'held' | undefined;

/** The call that opens here, if one does. */
export function openingAt(text: string, at: number, tools: KnownTools): Opening {
  const wrapper = markerAt(wrapperOpening, text, at);
  if (typeof wrapper === 'object') return { at: wrapper.end, next: new WrapperBody(tools) };
  const single = singleAt(text, at, tools, undefined);
  if (typeof single === 'object') return single;
  const token = markerAt(tokenOpening, text, at);
  if (typeof token === 'object') {
    const body = new RawBody(tokenClosing, (written, cut) => [callInTokens(written, cut)], undefined);
    return /calls/.test(token.found[0]) ? { at: token.end } : { at: token.end, next: body };
  }
  return [wrapper, single, token].includes('held') ? 'held' : undefined;
}

/** An `invoke` or a `tool_call`, with or without something around it. */
function singleAt(text: string, at: number, tools: KnownTools, next: CallBody | undefined): Opening {
  const invoke = markerAt(invokeOpening, text, at);
  if (typeof invoke === 'object') {
    const [name = ''] = invoke.found.slice(1).filter((part) => part !== undefined);
    return { at: invoke.end, next: new InvokeBody(name.trim(), tools, next) };
  }
  const toolCall = markerAt(toolCallOpening, text, at);
  if (typeof toolCall === 'object') {
    const raw = () => new RawBody(toolCallClosing, (body, cut) => callsInToolCall(body, tools, cut), next);
    return { at: toolCall.end, next: text.charAt(toolCall.end) === '{' ? toolCallJson(tools, next) : raw() };
  }
  return invoke ?? toolCall;
}

/** Between the calls of a wrapped list. Anything that does not belong there ends it, and is text. */
export class WrapperBody implements CallBody {
  constructor(private readonly tools: KnownTools) {}

  read(text: string, at: number, last: boolean): BodyStep {
    const place = skipBlanks(text, at);
    const character = text.charAt(place);
    if (character === '') return last || place - at > mostBlanks ? { at } : { more: at };
    if (character === '[' || character === '{') return { at: place, next: this.#list() };
    if (character !== '<') return { at };
    const single = singleAt(text, place, this.tools, this);
    if (typeof single === 'object') return { at: single.at, next: single.next };
    const closing = markerAt(wrapperClosing, text, place);
    if (typeof closing === 'object') return { at: closing.end };
    const leftOver = markerAt(anyClosing, text, place);
    if (typeof leftOver === 'object') return { at: leftOver.end, next: this };
    if (![single, closing, leftOver].includes('held') || place - at > mostBlanks) return { at };
    if (!last) return { more: at };
    const cut = text.slice(place);
    return closing === undefined ? { calls: [unusable(cut, true, openedIn(cut))] } : {};
  }

  end(): BodyEnd {
    return {};
  }

  #list(): CallBody {
    return new JsonBody({
      closing: wrapperClosing,
      understand: (body, cut) => callsInJson(body) ?? [unusable(body, cut)],
      next: this,
      afterFailure: undefined,
    });
  }
}

/** The name in a tag that was never finished. */
function openedIn(cut: string): string {
  return /name\s*=\s*["']([\w.-]+)["']/.exec(cut)?.[1] ?? unnamed;
}
