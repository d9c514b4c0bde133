/** How many tokens a model can hold at once, as its maker says. Ids are without the name of the provider. */
const exact: Readonly<Record<string, number>> = {
  'deepseek/deepseek-chat': 64_000,
  'deepseek/deepseek-r1': 64_000,
  'anthropic/claude-3-opus': 200_000,
  'anthropic/claude-sonnet-4': 200_000,
  'google/gemini-2.0-flash-exp': 1_000_000,
  'openai/gpt-4-turbo': 128_000,
  'openai/o1': 200_000,
  'meta-llama/llama-3.3-70b': 131_072,
  offline: 64_000,
};

/** First match wins: the more special before the more general. */
const families: readonly (readonly [RegExp, number])[] = [
  [/claude/, 200_000],
  [/gemini/, 1_000_000],
  [/gpt-4\.1/, 1_000_000],
  [/gpt-5|gpt-4o|gpt-4-turbo/, 128_000],
  [/(^|\/)o[134](-|$)/, 200_000],
  [/llama-3\.[123]|llama3\.[123]/, 131_072],
  [/deepseek/, 64_000],
  [/qwen[23]|mistral-large/, 131_072],
];

const usual = 64_000;

/** What providers reported themselves, by the whole name of the model; it counts like an exact id. */
export type ReportedWindow = (modelName: string) => number | undefined;

/** The exact id, else the id without its `:suffix`, else its family, else 64 000. */
export function windowSizeOf(modelName: string, reported: ReportedWindow = () => undefined): number {
  const plainName = withoutSuffix(modelName);
  const id = modelName.replace(/^openrouter\//, '');
  const plain = withoutSuffix(id);
  return (
    reported(modelName) ??
    exact[id] ??
    reported(plainName) ??
    exact[plain] ??
    families.find(([family]) => family.test(plain))?.[1] ??
    usual
  );
}

function withoutSuffix(id: string): string {
  return id.replace(/:.*$/, '');
}
