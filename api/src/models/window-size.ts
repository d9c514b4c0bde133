const unknownWindow = 64_000;

/** Tokens that a model can hold. Names as a query gives them, in lower case; the longest family that fits decides. */
const windows: Readonly<Record<string, number>> = {
  'openrouter/openai/gpt-4o': 128_000,
  'openai/gpt-4o': 128_000,
};

const families: readonly (readonly [RegExp, number])[] = [
  [/claude/, 200_000],
  [/gemini/, 1_000_000],
  [/gpt-4\.1/, 1_000_000],
  [/gpt-5/, 400_000],
  [/gpt-4o|gpt-4-turbo|gpt-oss/, 128_000],
  [/\bo[134](-|$)/, 200_000],
  [/deepseek|kimi|glm|mistral|llama-?3\.[1-3]|grok|qwen-?3/, 128_000],
  [/^simulated\/|^offline$/, 200_000],
];

/** Exact name, then the name without its `:suffix`, then the family, then a careful guess. */
export function windowSizeOf(name: string): number {
  const exact = name.toLowerCase();
  const plain = exact.replace(/:[^/]*$/, '');
  return windows[exact] ?? windows[plain] ?? families.find(([family]) => family.test(plain))?.[1] ?? unknownWindow;
}
