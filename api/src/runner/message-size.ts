import { callSignature } from '../agent/tool-call.ts';
import type { Usage } from '../agent/usage.ts';
import type { ModelMessage } from '../models/model-port.ts';
import type { RunContext } from './run-context.ts';

export type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>;

/** What providers add around every message. */
const overhead = 4;
/** Estimates err on either side; a budget must hold when they err on the low one. */
export const caution = 1.15;

/** Estimated tokens of one message, rather too many than too few. */
export function measure(run: RunContext, message: ModelMessage): number {
  return Math.ceil(count(run, message) * caution);
}

/** Fewer tokens than one for so many characters, or more than one for so few, are no true count of a reply. */
const plausibleCharacters = { most: 8, least: 2 };

/**
 * A reply that the provider has counted already: its word is taken, as far as it can be true. Reasoning is not sent
 * again, unless the provider wants it back.
 */
export function measureReply(run: RunContext, message: AssistantMessage, usage: Usage): number {
  const sentAgain =
    message.continuation === undefined ? usage.outputTokens - usage.reasoningTokens : usage.outputTokens;
  const characters = message.toolCalls.reduce((sum, call) => sum + callSignature(call).length, message.text.length);
  const perToken = characters / sentAgain;
  const plausible = perToken >= plausibleCharacters.least && perToken <= plausibleCharacters.most;
  return usage.estimated || !plausible ? measure(run, message) : Math.ceil((overhead + sentAgain) * caution);
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
