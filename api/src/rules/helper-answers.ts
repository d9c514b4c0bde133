import type { Json } from '../agent/json.ts';
import { linearRegex } from './linear-regex.ts';
import type { helpers, PastTool, RuleFacts, ToolCount } from './vocabulary.ts';

const patterns = new Map<string, ReturnType<typeof linearRegex>>();
const mostPatternsKept = 500;

/** In place of CEL's own `matches`, which would hand the pattern to an engine that can be kept busy for hours. */
export function linearMatch(text: string, pattern: string): boolean {
  let regex = patterns.get(pattern);
  if (!regex) {
    regex = linearRegex(pattern);
    if (patterns.size >= mostPatternsKept) patterns.clear();
    patterns.set(pattern, regex);
  }
  return regex.test(text);
}

type Answer = (facts: RuleFacts, value: unknown) => unknown;

function countOf({ history }: RuleFacts, name: unknown): ToolCount {
  return history.countOf ? history.countOf(String(name)) : countAmong(history.tools, String(name));
}

/** By looking at each of them. */
export function countAmong(tools: Iterable<PastTool>, name: string): ToolCount {
  let [calls, failures] = [0, 0];
  for (const tool of tools) {
    if (tool.name !== name) continue;
    calls += 1;
    if (!tool.ok) failures += 1;
  }
  return { calls, failures };
}

/** What each helper answers about the facts at hand; whole numbers are dressed for CEL by whoever asks. */
export const answers: Readonly<Record<keyof typeof helpers, Answer>> = {
  toolFailed: (facts, name) => countOf(facts, name).failures > 0,
  toolCalled: (facts, name) => countOf(facts, name).calls > 0,
  failures: (facts, name) => countOf(facts, name).failures,
  calls: (facts, name) => countOf(facts, name).calls,
  contextAbove: ({ context }, share) => context.share > Number(share),
  tokensAbove: ({ tokens }, share) => tokens.share > Number(share),
  elapsedAbove: ({ elapsed }, seconds) => elapsed > Number(seconds),
  messagesAbove: ({ history }, count) => history.messages > Number(count),
  turnAbove: ({ turn }, count) => turn > Number(count),
  stateNumber: ({ state }, key) => Number(remembered(state, key, 'number') ?? 0),
  stateText: ({ state }, key) => String(remembered(state, key, 'string') ?? ''),
  stateFlag: ({ state }, key) => remembered(state, key, 'boolean') === true,
};

function remembered(state: Readonly<Record<string, Json>>, key: unknown, type: string): Json | undefined {
  const value = Object.hasOwn(state, String(key)) ? state[String(key)] : undefined;
  return typeof value === type ? value : undefined;
}
