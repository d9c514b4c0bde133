import { smallestAnswer } from '../agent/reservation.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { caution, measure } from './message-size.ts';
import { type EarlierWork, resumedMessages } from './resume.ts';
import type { PastExchange, RunContext } from './run-context.ts';
import { newestThatFit, type SizedExchange, usableWindow } from './window.ts';

/** Sent with every request: each word of it is paid for again and again. */
const instructions = [
  'You are the Oracle, an assistant that answers from the knowledge of its project.',
  'Look things up with the tools before you answer; name the notes you rely on by their path.',
  'Do not repeat a call whose result you have. When the tools have nothing more to offer, answer with what you found and say what is missing.',
  'Messages in <notice> come from the system that runs you, not from the person: heed them and do not mention them.',
].join(' ');

const usualInstructions: ModelMessage = { role: 'system', text: instructions };

const cutOff = '\n\n[This answer was cut off by a limit before it was complete.]';
const saidNothing = '[This answer was empty.]';

/** The conversation so far, then the question, then what was done about it before. */
export function buildPrompt(
  run: RunContext,
  history: readonly PastExchange[],
  earlier: readonly EarlierWork[] = [],
): void {
  run.toolTokens = Math.ceil(declaredTokens(run) * caution);
  run.promptTokens += run.toolTokens;
  if (run.request.instructions === undefined) say(run, usualInstructions, usualSize(run));
  else say(run, { role: 'system', text: run.request.instructions });
  const question = measured(run, { role: 'user', text: run.request.question });
  if (run.promptTokens + question.size + smallestAnswer > run.state.config.tokenBudget) leaveOutTools(run);
  const resumed = earlierMessages(run, earlier, run.promptTokens + question.size);
  const fixed = resumed.reduce((sum, { size }) => sum + size, run.promptTokens + question.size);
  const past = history.map((exchange) => rememberedExchange(run, exchange));
  const kept = newestThatFit(run, past, fixed);
  for (const { messages } of kept) for (const { message, size } of messages) say(run, message, size);
  run.pastExchanges = kept.length;
  for (const { message, size } of [question, ...resumed]) say(run, message, size);
}

/** Most runs declare the same tools and get the same instructions: those are measured once. */
const declared = new WeakMap<object, number>();
let instructed: { readonly by: unknown; readonly size: number } | undefined;

function declaredTokens({ ports, declarations }: RunContext): number {
  let tokens = declared.get(declarations);
  if (tokens === undefined) {
    tokens = ports.estimateTokens(JSON.stringify(declarations));
    declared.set(declarations, tokens);
  }
  return tokens;
}

function usualSize(run: RunContext): number {
  const { estimateTokens } = run.ports;
  if (instructed?.by !== estimateTokens) instructed = { by: estimateTokens, size: measure(run, usualInstructions) };
  return instructed.size;
}

/** A budget that is used up by telling of the tools is better spent on an answer without them. */
function leaveOutTools(run: RunContext): void {
  run.promptTokens -= run.toolTokens;
  run.toolTokens = 0;
  run.declarations = [];
}

/** Of what the budget and the window leave. Work is sent again with every turn; an answer takes one turn only. */
const earlierShare = { continue: 0.35, 'answer-now': 0.7 } as const;

function earlierMessages(run: RunContext, earlier: readonly EarlierWork[], fixed: number): readonly SizedMessage[] {
  const { resumed } = run.ports;
  if (!resumed) return [];
  const { resumption } = resumed;
  const left = Math.min(run.state.config.tokenBudget, usableWindow(run.request.windowSize)) - fixed;
  const messages = resumedMessages(earlier, {
    resumption,
    room: Math.floor(left * earlierShare[resumption]),
    measure: (message) => measure(run, message),
  });
  return messages.map((message) => measured(run, message));
}

function rememberedExchange(run: RunContext, { question, answer, partial }: PastExchange): SizedExchange {
  const messages = [
    measured(run, { role: 'user', text: question }),
    measured(run, { role: 'assistant', text: remembered(answer, partial), toolCalls: [] }),
  ];
  return { messages, size: messages.reduce((sum, { size }) => sum + size, 0) };
}

/** Never blank: some providers refuse a conversation with an empty answer in it. */
function remembered(answer: string, partial: boolean): string {
  if (partial) return `${answer}${cutOff}`.trimStart();
  return answer.trim() === '' ? saidNothing : answer;
}

/** Adds to the conversation. Each message is measured once, however many turns it is sent in. */
export function say(run: RunContext, message: ModelMessage, size: number = measure(run, message)): void {
  run.messages.push(message);
  run.sizes.push(size);
  run.promptTokens += size;
}

type SizedMessage = SizedExchange['messages'][number];

function measured(run: RunContext, message: ModelMessage): SizedMessage {
  return { message, size: measure(run, message) };
}

/** Hints belong to one request only: they are neither saved nor sent again. */
export function hintMessages(hints: readonly string[]): readonly ModelMessage[] {
  return hints.length === 0 ? [] : [{ role: 'user', text: `<notice>${hints.join('\n')}</notice>` }];
}
