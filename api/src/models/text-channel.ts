import type { ModelRequest, ToolDeclaration } from './model-port.ts';
import type { KnownTools, Segment } from './text-calls/text-call.ts';
import { TextCalls } from './text-calls/text-calls.ts';
import { WellFormedText } from './well-formed-text.ts';

type Tools = readonly ToolDeclaration[];

const known = new WeakMap<Tools, KnownTools>();
const nothing: readonly Segment[] = [];

/**
 * The answer or the reasoning of one reply on its way to the reader: made storable, and freed of the calls in it. Without
 * any tools there is nothing to look for, and every delta passes as it is.
 */
export class TextChannel {
  readonly #wellFormed = new WellFormedText();
  readonly #calls: TextCalls | undefined;

  constructor({ tools, withheldTools = [] }: Pick<ModelRequest, 'tools' | 'withheldTools'>) {
    const meant = tools.length > 0 ? tools : withheldTools;
    this.#calls = meant.length > 0 ? new TextCalls(knownTools(meant)) : undefined;
  }

  push(delta: string): string | readonly Segment[] {
    const text = this.#wellFormed.push(delta);
    if (this.#calls === undefined || this.#calls.passWhole(text)) return text;
    const segments: Segment[] = [];
    this.#calls.push(text, segments);
    return segments;
  }

  /** Something else is told next: what was only held back in doubt goes first. */
  release(): readonly Segment[] {
    if (!this.#calls?.holds) return nothing;
    const segments: Segment[] = [];
    this.#calls.release(segments);
    return segments;
  }

  end(): string | readonly Segment[] {
    const text = this.#wellFormed.end();
    if (this.#calls === undefined) return text;
    const segments: Segment[] = [];
    this.#calls.push(text, segments);
    this.#calls.end(segments);
    return segments;
  }
}

/** The same list comes with every turn. */
function knownTools(tools: Tools): KnownTools {
  let names = known.get(tools);
  if (names === undefined) {
    names = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    known.set(tools, names);
  }
  return names;
}
