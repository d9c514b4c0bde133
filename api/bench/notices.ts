import { builtInSubscribers } from '../src/declared-folders.ts';
import type { Counted } from '../src/events/accumulator.ts';
import type { EventName, PayloadOf, RunEvent } from '../src/events/event.ts';
import { type ModelNotice, modelLines, tableOf } from '../src/events/model-notice.ts';
import { recordOf } from '../src/events/toon-table.ts';
import { estimateTokens } from '../src/models/token-estimate.ts';
import { builtInSubscribersOf } from '../src/notifications/subscriber-files.ts';
import type { Section } from './report.ts';

const rowCounts = [1, 3, 5, 10] as const;

interface Sample<Name extends EventName = EventName> {
  readonly event: Name;
  /** It happens once at a time, so that more rows of it would be made up. */
  readonly single?: boolean;
  payload(index: number): PayloadOf<Name>;
}

const tools = ['vault_search', 'vault_read', 'code_search', 'thread_read', 'web_fetch'];
const folders = ['decisions', 'handbook', 'incidents', 'plans'];
const pick = (from: readonly string[], index: number) => from[index % from.length] ?? '';

/** What the built-in subscribers tell the model as rows; everything else that they tell it is a sentence. */
const samples: Readonly<Record<string, Sample>> = {
  'tool-failure': {
    event: 'tool.call.failure',
    payload: (index) => ({
      callId: `c${index}`,
      tool: pick(tools, index),
      arguments: {},
      error: `There is no note at ${pick(folders, index)}/note-${index}.md.`,
      durationMs: 3,
    }),
  },
  'source-stale': {
    event: 'source.stale',
    payload: (index) => ({
      path: `${pick(folders, index)}/caching-${index}.md`,
      change: 'CHANGED',
      what: 'changed',
      changedAt: new Date(Date.UTC(2026, 4, 1 + index, 9, 30, index)).toISOString(),
    }),
  },
  'self-notice': {
    event: 'agent.self.notify',
    payload: (index) => ({
      noticeId: `n${index}`,
      message: `Check the date of release ${index} before answering.`,
      category: 'facts',
      priority: 'NORMAL',
      fromEarlier: false,
    }),
  },
  'rule-notice': {
    event: 'rule.notify',
    payload: (index) => ({ rule: `long-result-${index}`, message: `The result of call ${index} is unusually long.` }),
  },
  'session-resumed': { event: 'session.resumed', single: true, payload: () => ({ exchanges: 3, idleSeconds: 7_400 }) },
  'task-checkpoint': {
    event: 'task.checkpoint',
    single: true,
    payload: () => ({ turn: 10, maxIterations: 15, tokensUsed: 24_000, tokenBudget: 50_000, toolCalls: 12 }),
  },
};

/** The same rows as the model is given them, as JSON and as JSON that is easy on the eye: estimated tokens. */
export async function benchNotices(): Promise<Section> {
  const subscribers = await builtInSubscribersOf(builtInSubscribers);
  const sizes = Object.entries(samples).flatMap(([id, sample]) => {
    const subscriber = subscribers.find((one) => one.id === id);
    if (!subscriber) throw new Error(`There is no subscriber "${id}".`);
    return rowCounts
      .filter((count) => count === 1 || sample.single !== true)
      .map((count) => {
        const notices = Array.from(
          { length: count },
          (_row, index): ModelNotice => ({ subscriber, entry: counted(sample, index) }),
        );
        return { name: `${id}, ${count}`, count, ...sizesOf(notices) };
      });
  });
  const total = (which: keyof Sizes, among: readonly Sizes[]) => among.reduce((sum, size) => sum + size[which], 0);
  const totals = (among: readonly Sizes[]): Sizes => ({
    toon: total('toon', among),
    compact: total('compact', among),
    indented: total('indented', among),
    values: total('values', among),
  });
  const all = totals(sizes);
  return {
    title: 'Notices for the model: estimated tokens of the same rows',
    rows: {
      ...Object.fromEntries(sizes.map((size) => [size.name, rowOf(size)])),
      ...Object.fromEntries(
        rowCounts.map((count) => [`all, ${count}`, rowOf(totals(sizes.filter((size) => size.count === count)))]),
      ),
      all: rowOf(all),
    },
    // There is no goal against compact JSON: over all rows, even the values by themselves would save less than 40 % of it.
    goals: [
      {
        what: 'Notices as TOON, saved against indented JSON',
        measured: saving(all.toon, all.indented),
        atLeast: 40,
        unit: '%',
      },
    ],
  };
}

interface Sizes {
  readonly toon: number;
  readonly compact: number;
  readonly indented: number;
  /** Without any name, bracket or quote: less is not possible. */
  readonly values: number;
}

function saving(toon: number, other: number): number {
  return 100 * (1 - toon / other);
}

function rowOf({ toon, compact, indented, values }: Sizes) {
  return {
    TOON: toon,
    'compact JSON': compact,
    'saved %': saving(toon, compact),
    'indented JSON': indented,
    'saved of indented %': saving(toon, indented),
    'values alone': values,
  };
}

function counted({ event: name, payload }: Sample, index: number): Counted {
  const event = {
    number: index + 1,
    name,
    severity: 'INFO',
    at: index,
    turn: 1,
    dedupeKey: String(index),
    payload: payload(index),
  } as RunEvent; // each sample has the payload of its event
  return { event, times: name === 'tool.call.failure' ? 2 + index : 1, since: index, first: index + 1 };
}

function sizesOf(notices: readonly ModelNotice[]): Sizes {
  const rows = recordOf(tableOf(notices));
  const toon = modelLines(notices, { windowSize: Number.POSITIVE_INFINITY, estimateTokens }).lines.join('\n');
  return {
    toon: estimateTokens(toon),
    compact: estimateTokens(JSON.stringify(rows)),
    indented: estimateTokens(JSON.stringify(rows, undefined, 2)),
    values: estimateTokens(
      Object.values(rows)
        .flat()
        .map((row) => Object.values(row).join(' '))
        .join('\n'),
    ),
  };
}
