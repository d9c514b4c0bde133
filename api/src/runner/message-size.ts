import type { ModelMessage } from '../models/model-port.ts';
import type { RunContext } from './run-context.ts';

/** What providers add around every message. */
const overhead = 4;
/** Estimates err on either side; a budget must hold when they err on the low one. */
export const caution = 1.15;

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
