/** What a server wants to hear about thinking: fields of the request, none where it wants to hear nothing. */
export type ThinkingDialect = (thinking: boolean, modelId: string) => object;

/** One switch for all models; those that cannot think ignore it. */
export const openRouterThinking: ThinkingDialect = (thinking) => ({ reasoning: { enabled: thinking } });

/**
 * OpenAI-compatible servers have no common word for it, so the address decides where it is known. Everywhere else two are
 * sent, each ignored by those that know only the other: the effort (Ollama, LM Studio, gateways) and the switches of chat
 * templates (vLLM, SGLang, llama.cpp). A server that refuses them is asked again without.
 */
export function thinkingDialectOf(baseUrl: string): ThinkingDialect {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return dialects.find(([hosts]) => hosts.test(host))?.[1] ?? unknownServer;
}

const usualEffort = 'medium';

const openAi: ThinkingDialect = (thinking, modelId) =>
  thinking && /(?:^|\/)(?:o\d|gpt-[5-9]|gpt-oss)/.test(modelId) ? { reasoning_effort: usualEffort } : {};

const deepSeek: ThinkingDialect = (thinking) => ({ thinking: { type: thinking ? 'enabled' : 'disabled' } });

const alibaba: ThinkingDialect = (thinking) => ({ enable_thinking: thinking });

const unknownServer: ThinkingDialect = (thinking, modelId) => {
  if (!thinking && !thinksUnasked.test(modelId)) return {};
  return {
    reasoning_effort: thinking ? usualEffort : 'none',
    chat_template_kwargs: { enable_thinking: thinking, thinking },
  };
};

/** Families that think unless they are told not to. Others are not told what they may not understand. */
const thinksUnasked = /qwen-?3|deepseek-?(?:v3\.[1-9]|v[4-9])|glm-?(?:4\.[5-9]|[5-9])|gemma-?[4-9]|nemotron|smollm3/i;

const dialects: readonly (readonly [RegExp, ThinkingDialect])[] = [
  [/(?:^|\.)openai\.com$|\.openai\.azure\.com$/, openAi],
  [/(?:^|\.)deepseek\.com$/, deepSeek],
  [/(?:^|\.)aliyuncs\.com$/, alibaba],
  [/(?:^|\.)openrouter\.ai$/, openRouterThinking],
];
