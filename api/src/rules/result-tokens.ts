export interface TokenEstimate {
  estimateTokens(text: string): number;
}

/** As many characters are looked at; of a longer text, as many at its beginning, in its middle and at its end together. */
const mostMeasured = 12_000;
const pieces = 3;

/**
 * Estimated tokens of a tool's result. A result can have a hundred thousand characters, and measuring all of it can take
 * longer than a rule may; parts of it say nearly the same.
 */
export function resultTokens(text: string, by: TokenEstimate): number {
  if (text.length <= mostMeasured) return by.estimateTokens(text);
  const length = mostMeasured / pieces;
  let tokens = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const start = Math.floor(((text.length - length) * piece) / (pieces - 1));
    tokens += by.estimateTokens(text.slice(start, start + length));
  }
  return Math.round((tokens * text.length) / mostMeasured);
}
