import type { ModelMessage } from '../models/model-port.ts';
import type { PastExchange, RunContext } from './run-context.ts';

/** Sent with every request: each word of it is paid for again and again. */
const instructions = [
  'You are the Oracle, an assistant that answers from the knowledge of its project.',
  'Look things up with the tools before you answer; name the notes you rely on by their path.',
  'Do not repeat a call whose result you have. When the tools have nothing more to offer, answer with what you found and say what is missing.',
  'Messages in <notice> come from the system that runs you, not from the person: heed them and do not mention them.',
].join(' ');

const cutOff = '\n\n[This answer was cut off by a limit before it was complete.]';
const saidNothing = '[This answer was empty.]';

/** The conversation so far, then the question. */
export function buildPrompt(run: RunContext, history: readonly PastExchange[]): void {
  say(run, { role: 'system', text: instructions });
  for (const { question, answer, partial } of history) {
    say(run, { role: 'user', text: question });
    say(run, { role: 'assistant', text: remembered(answer, partial), toolCalls: [] });
  }
  say(run, { role: 'user', text: run.request.question });
  run.toolTokens = Math.ceil(run.ports.estimateTokens(JSON.stringify(run.declarations)) * caution);
  run.promptTokens += run.toolTokens;
}

/** Never blank: some providers refuse a conversation with an empty answer in it. */
function remembered(answer: string, partial: boolean): string {
  if (partial) return `${answer}${cutOff}`.trimStart();
  return answer.trim() === '' ? saidNothing : answer;
}

/** Adds to the conversation. Each message is measured once, however many turns it is sent in. */
export function say(run: RunContext, message: ModelMessage): void {
  run.messages.push(message);
  run.promptTokens += measure(run, message);
}

/** Hints belong to one request only: they are neither saved nor sent again. */
export function hintMessages(hints: readonly string[]): readonly ModelMessage[] {
  return hints.length === 0 ? [] : [{ role: 'user', text: `<notice>${hints.join('\n')}</notice>` }];
}

/** What providers add around every message. */
const overhead = 4;
/** Estimates err on either side; a budget must hold when they err on the low one. */
const caution = 1.15;

/** Estimated tokens of one message, rather too many than too few. */
export function measure(run: RunContext, message: ModelMessage): number {
  return Math.ceil(count(run, message) * caution);
}

function count({ ports }: RunContext, message: ModelMessage): number {
  switch (message.role) {
    case 'system':
    case 'user':
      return overhead + ports.estimateTokens(message.text);
    case 'assistant': {
      const calls = message.toolCalls.map((call) => `${call.name}${JSON.stringify(call.arguments)}`).join('');
      return overhead + ports.estimateTokens(message.text) + ports.estimateTokens(calls);
    }
    case 'tool':
      return message.results.reduce((sum, { text }) => sum + overhead + ports.estimateTokens(text), 0);
  }
}
