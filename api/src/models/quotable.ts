import type { ModelMessage } from './model-port.ts';
import { wellFormed } from './well-formed-text.ts';

const longestQuote = 200;
/** Shared text of about twice this length counts as quoted. */
const window = 12;
const secret = /\b(?:bearer\s+\S+|(?:sk|pk|rk|gsk|xai|key|token)[-_][\w*.-]{4,}|(?=\w*\d)[\w-]{28,})/gi;

/**
 * A provider's own words, if they may be shown: on one line, short, without anything like a key, and not at all when they
 * repeat part of the prompt, which providers do when they complain about it.
 */
export function quotable(text: string | undefined, prompt: readonly ModelMessage[]): string | undefined {
  if (text === undefined) return undefined;
  const line = wellFormed(text.slice(0, longestQuote * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(secret, '…');
  const quote = line.length > longestQuote ? `${line.slice(0, longestQuote)}…`.toWellFormed() : line;
  return quote === '' || prompt.some((message) => textsOf(message).some((said) => repeats(quote, said)))
    ? undefined
    : quote;
}

function repeats(quote: string, said: string): boolean {
  if (said.trim().length < window) return said.trim().length > 3 && quote.includes(said.trim());
  const flat = said.replace(/\s+/g, ' ');
  for (let start = 0; start + window <= quote.length; start += window) {
    if (flat.includes(quote.slice(start, start + window))) return true;
  }
  return false;
}

function textsOf(message: ModelMessage): readonly string[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [message.text];
    case 'assistant':
      return [message.text, ...message.toolCalls.map((call) => JSON.stringify(call.arguments))];
    case 'tool':
      return message.results.map(({ text }) => text);
  }
}
