import { type ChunkOf, type Ending, isKnownChunk, type OracleChunk } from './chunk.ts';
import type { ConversationId, ExchangeId, RunId } from './generated/ids.ts';
import type { JsonValue } from './json.ts';

/** A tool call as it stands. */
export interface ToolCard {
  /** As the chunks name it. */
  readonly callId: string;
  readonly name: string;
  readonly arguments: JsonValue;
  readonly turn: number;
  readonly status: 'PENDING' | 'RUNNING' | 'NOT_RUN' | 'OK' | 'FAILED';
  /** What came of it, when it worked. */
  readonly result: JsonValue;
  /** What went wrong, when it did not. */
  readonly error: string | null;
  readonly durationMs: number | null;
}

/** What every item of a view has. */
interface Placed {
  /** Stays the same while the item grows. */
  readonly key: number;
  /** The sub-agent whose work it is; null for the oracle's own. */
  readonly agent: string | null;
  /** When it began. */
  readonly at: string;
}

/** A text as it grows. */
interface Growing extends Placed {
  readonly text: string;
  /** When the last piece of it came. */
  readonly lastAt: string;
}

/** What a chat shows of a run, in order of appearance. Adjacent deltas of one agent are one item, which grows. */
export type ViewItem =
  | ({ readonly type: 'answer' } & Growing)
  | ({ readonly type: 'thinking' } & Growing)
  | ({ readonly type: 'tool'; readonly card: ToolCard } & Placed)
  | ({ readonly type: 'notice'; readonly chunk: ChunkOf<'system'> } & Placed)
  | ({ readonly type: 'error'; readonly chunk: ChunkOf<'error'> } & Placed);

/** How much of what is used, as last told. */
export interface Meters {
  /** Turns begun. */
  readonly turn: number;
  readonly toolCalls: number;
  /** How full the model's window is. */
  readonly context: { readonly tokens: number; readonly windowSize: number } | undefined;
  /** Per limit what a notice last said. */
  readonly limits: Readonly<Partial<Record<LimitType, { readonly used: number; readonly allowed: number }>>>;
  /** Tokens, once the run has ended. */
  readonly usage: Ending['usage'] | undefined;
}

type LimitType = NonNullable<ChunkOf<'system'>['limitType']>;

/** A run as a chat shows it. */
export interface RunView {
  readonly runId: RunId | undefined;
  /** The last chunk that is part of this view. */
  readonly seq: number;
  /** In order of appearance; `key` stays the same while an item grows. */
  readonly items: readonly ViewItem[];
  /** The whole answer so far, without what sub-agents say. */
  readonly text: string;
  readonly sources: readonly ChunkOf<'source'>[];
  readonly meters: Meters;
  /** What sub-agents do for this run, each a view of its own: no part of the answer. */
  readonly agents: Readonly<Record<string, RunView>>;
  /** Undefined while the run is going on. */
  readonly ending: Ending | undefined;
  readonly conversationId: ConversationId | undefined;
  readonly nodeId: ExchangeId | undefined;
}

/** The view of a run of which nothing is known yet. */
export const emptyView: RunView = {
  runId: undefined,
  seq: 0,
  items: [],
  text: '',
  sources: [],
  meters: { turn: 0, toolCalls: 0, context: undefined, limits: {}, usage: undefined },
  agents: {},
  ending: undefined,
  conversationId: undefined,
  nodeId: undefined,
};

/**
 * The view after one more chunk. Pure, and safe to repeat: a chunk that the view has seen changes nothing, nor does one
 * of a type that this version does not know, or of another run.
 */
export function foldChunks(view: RunView, chunk: OracleChunk): RunView {
  if (chunk.seq <= view.seq || (view.runId !== undefined && chunk.runId !== view.runId)) return view;
  const next = { ...view, runId: chunk.runId, seq: chunk.seq };
  if (!isKnownChunk(chunk)) return next;
  if (!chunk.agent) return { ...next, ...changesOf(view, chunk) };
  const own = foldChunks(view.agents[chunk.agent] ?? emptyView, { ...chunk, agent: null });
  return { ...next, agents: { ...view.agents, [chunk.agent]: own } };
}

/** The tool calls of a view, in order of appearance. */
export function toolCardsOf({ items }: RunView): readonly ToolCard[] {
  return items.flatMap((item) => (item.type === 'tool' ? [item.card] : []));
}

function changesOf(view: RunView, chunk: OracleChunk): Partial<RunView> {
  const { items, meters } = view;
  const { fromSeq: key, agent, at } = chunk;
  switch (chunk.__typename) {
    case 'ContentChunk':
      return { items: grow(items, 'answer', chunk), text: agent ? view.text : view.text + chunk.text };
    case 'ThinkingChunk':
      return { items: grow(items, 'thinking', chunk) };
    case 'ToolCallChunk':
      return toolCalled(view, chunk);
    case 'ToolResultChunk':
      return { items: settleTool(items, chunk) };
    case 'SourceChunk':
      return { sources: [...view.sources, chunk] };
    case 'SystemChunk':
      return { items: [...items, { type: 'notice', key, agent, at, chunk }], meters: measured(meters, chunk) };
    case 'ContextChunk':
      if (agent) return {}; // a sub-agent has a window of its own
      return { meters: { ...meters, context: { tokens: chunk.tokens, windowSize: chunk.windowSize } } };
    case 'ErrorChunk':
      return { items: [...items, { type: 'error', key, agent, at, chunk }] };
    case 'DoneChunk': {
      const { ending, conversationId, nodeId } = chunk;
      const turn = Math.max(meters.turn, ending.turns);
      return { ending, conversationId, nodeId, meters: { ...meters, turn, usage: ending.usage } };
    }
  }
}

function grow(
  items: readonly ViewItem[],
  type: 'answer' | 'thinking',
  { fromSeq: key, agent, at, text }: ChunkOf<'content'> | ChunkOf<'thinking'>,
): readonly ViewItem[] {
  const last = items.at(-1);
  if (last?.type !== type || last.agent !== agent) return [...items, { type, key, agent, at, text, lastAt: at }];
  return items.with(-1, { ...last, text: last.text + text, lastAt: at });
}

function toolCalled({ items, meters }: RunView, chunk: ChunkOf<'toolCall'>): Partial<RunView> {
  const { callId, name, arguments: input, turn, status, fromSeq: key, agent, at } = chunk;
  const known = items.some((item) => item.type === 'tool' && item.card.callId === callId);
  if (known) return { items: changeCard(items, callId, { status, arguments: input }) };
  const card: ToolCard = { callId, name, arguments: input, turn, status, result: null, error: null, durationMs: null };
  return {
    items: [...items, { type: 'tool', key, agent, at, card }],
    meters: {
      ...meters,
      turn: agent ? meters.turn : Math.max(meters.turn, turn),
      toolCalls: meters.toolCalls + 1,
    },
  };
}

function settleTool(items: readonly ViewItem[], chunk: ChunkOf<'toolResult'>): readonly ViewItem[] {
  const { callId, ok, result, error, durationMs } = chunk;
  return items.map((item) => {
    if (item.type !== 'tool' || item.card.callId !== callId) return item;
    // A call that was not run is answered too; that it was not run says more than that it did not work.
    const status = item.card.status === 'NOT_RUN' ? 'NOT_RUN' : ok ? 'OK' : 'FAILED';
    return { ...item, card: { ...item.card, status, result: result ?? null, error, durationMs } };
  });
}

function changeCard(items: readonly ViewItem[], callId: string, change: Partial<ToolCard>): readonly ViewItem[] {
  return items.map((item) =>
    item.type === 'tool' && item.card.callId === callId ? { ...item, card: { ...item.card, ...change } } : item,
  );
}

function measured(meters: Meters, { limitType, currentValue, limitValue }: ChunkOf<'system'>): Meters {
  if (limitType === null || currentValue === null || limitValue === null) return meters;
  return { ...meters, limits: { ...meters.limits, [limitType]: { used: currentValue, allowed: limitValue } } };
}
