import type { RunTimelineQuery } from '@oracle-agent/sdk/documents';
import { words } from '../../words.ts';
import { timeText } from './run-words.ts';

export type Turn = NonNullable<RunTimelineQuery['run']>['timeline'][number];

/** Something that took time in a turn, drawn as a bar. Left and width are shares of the whole run. */
export interface Bar {
  readonly key: string;
  readonly kind: 'model' | 'tool' | 'agent';
  readonly label: string;
  readonly left: number;
  readonly width: number;
  /** Which of the lines of its turn it is drawn on: what happened at once stands on several. */
  readonly lane: number;
  readonly state: 'running' | 'done' | 'failed' | 'not-run';
  /** Where in the run the first token came; of models only. */
  readonly firstToken: number | undefined;
  readonly startMs: number;
  readonly durationMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly readout: string;
}

export interface TimelineRow {
  readonly turn: number;
  readonly durationMs: number;
  readonly tokens: number | null;
  readonly lanes: number;
  readonly bars: readonly Bar[];
}

export interface Timeline {
  readonly totalMs: number;
  readonly rows: readonly TimelineRow[];
}

/** The waterfall: every turn a row, on one scale from the run's beginning to its end, or to now. */
export function waterfall(turns: readonly Turn[], startedAt: string, endedAt: string | null, now: number): Timeline {
  const begin = Date.parse(startedAt);
  const latest = Math.max(...turns.map((turn) => Date.parse(turn.endedAt ?? turn.startedAt)), begin);
  const end = endedAt === null ? Math.max(now, latest) : Math.max(Date.parse(endedAt), latest);
  const scale: Scale = { begin, end, total: Math.max(1, end - begin) };
  return { totalMs: end - begin, rows: turns.map((turn) => rowOf(turn, scale)) };
}

/** As a share of the run. */
const leastWidth = 0.008;

interface Scale {
  readonly begin: number;
  readonly end: number;
  readonly total: number;
}

function rowOf(turn: Turn, scale: Scale): TimelineRow {
  const ended = turn.endedAt === null ? scale.end : Date.parse(turn.endedAt);
  const spans = [modelSpan(turn), ...turn.agents.map((agent) => agentSpan(turn, agent)), ...callSpans(turn)];
  const placed = spans.map((span) => barOf(span, scale));
  const lanes = lanesOf(placed);
  return {
    turn: turn.turn,
    durationMs: Math.max(0, ended - Date.parse(turn.startedAt)),
    tokens: turn.tokens,
    lanes: Math.max(1, ...lanes.map((lane) => lane + 1)),
    bars: placed.map((bar, index) => ({ ...bar, lane: lanes[index] ?? 0 })),
  };
}

interface Span extends Pick<Bar, 'key' | 'kind' | 'label' | 'state'> {
  readonly start: string;
  readonly end: string | null;
  readonly firstToken: string | null;
  readonly read: (durationMs: number | undefined, firstTokenMs: number | undefined) => string;
}

function modelSpan({ turn, startedAt, modelEndedAt, firstTokenAt, tokens }: Turn): Span {
  return {
    key: 'model',
    kind: 'model',
    label: words.timeline.model,
    state: modelEndedAt === null ? 'running' : 'done',
    start: startedAt,
    end: modelEndedAt,
    firstToken: firstTokenAt,
    read: (took, first) =>
      words.timeline.modelReadout(
        turn,
        takes(took),
        first === undefined ? '' : timeText(first),
        tokens === null ? '' : words.timeline.tokens(tokens),
      ),
  };
}

function agentSpan({ turn }: Turn, { agent, startedAt, endedAt }: Turn['agents'][number]): Span {
  const label = words.participant.agent(agent);
  return {
    key: `agent ${agent}`,
    kind: 'agent',
    label,
    state: endedAt === null ? 'running' : 'done',
    start: startedAt,
    end: endedAt,
    firstToken: null,
    read: (took) => words.timeline.agentReadout(turn, label, takes(took)),
  };
}

const callStates = {
  WAITING: 'running',
  RUNNING: 'running',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  NOT_RUN: 'not-run',
} as const;

/** Calls that were not run took no time; several of them are one bar. */
function callSpans({ turn, calls }: Turn): readonly Span[] {
  const run = calls.filter(({ status }) => status !== 'NOT_RUN');
  const [first, ...others] = calls.filter(({ status }) => status === 'NOT_RUN');
  if (!first) return run.map((call) => callSpan(turn, call));
  const notRun: Span = {
    key: notRunKey,
    kind: 'tool',
    label: words.timeline.states.NOT_RUN,
    state: 'not-run',
    start: first.requestedAt,
    end: first.requestedAt,
    firstToken: null,
    read: () => words.timeline.notRunReadout(turn, others.length + 1),
  };
  return [...run.map((call) => callSpan(turn, call)), notRun];
}

/** Stands for all calls of a turn that were not run. */
export const notRunKey = 'not-run';

function callSpan(turn: number, call: Turn['calls'][number]): Span {
  const state = words.timeline.states[call.status];
  return {
    key: `call ${call.callId}`,
    kind: 'tool',
    label: call.name,
    state: callStates[call.status],
    start: call.startedAt ?? call.requestedAt,
    end: call.endedAt,
    firstToken: null,
    read: (took) => words.timeline.toolReadout(turn, call.name, state, took === undefined ? '' : timeText(took)),
  };
}

function barOf(span: Span, { begin, end, total }: Scale): Omit<Bar, 'lane'> {
  const start = Date.parse(span.start);
  const finish = Math.max(start, span.end === null ? end : Date.parse(span.end));
  const durationMs = span.end === null ? undefined : finish - start;
  const first = span.firstToken === null ? undefined : Date.parse(span.firstToken);
  const firstTokenMs = first === undefined ? undefined : Math.max(0, first - start);
  return {
    key: span.key,
    kind: span.kind,
    label: span.label,
    state: span.state,
    left: (start - begin) / total,
    width: (finish - start) / total,
    firstToken: first === undefined ? undefined : (first - begin) / total,
    startMs: start - begin,
    durationMs,
    firstTokenMs,
    readout: span.read(durationMs, firstTokenMs),
  };
}

/** The first line on which nothing else is drawn at that time. What took no time is drawn a little wider than it was. */
export function lanesOf(bars: readonly Pick<Bar, 'left' | 'width'>[]): readonly number[] {
  const ends: number[] = [];
  return bars.map(({ left, width }) => {
    let lane = 0;
    while ((ends[lane] ?? 0) > left) lane += 1;
    ends[lane] = left + Math.max(width, leastWidth);
    return lane;
  });
}

function takes(durationMs: number | undefined): string {
  return durationMs === undefined ? words.timeline.underWay : timeText(durationMs);
}
