import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Environment } from '../env.ts';
import { Adaptations } from './adaptations.ts';
import { createAnthropicModel } from './anthropic-model.ts';
import type { ListSource } from './catalogue/provider-list.ts';
import { createChatCompletionsModel } from './openai/chat-completions-model.ts';
import { openRouterThinking } from './openai/thinking-dialect.ts';

export type ModelEnvironment = Pick<
  Environment,
  'OPENROUTER_API_KEY' | 'ANTHROPIC_API_KEY' | 'ORACLE_OPENAI_BASE_URL' | 'ORACLE_OPENAI_API_KEY'
>;

/** Where the providers are, when not where they usually are. */
export interface ProviderAddresses {
  readonly openRouter?: string;
  readonly anthropic?: string;
}

export interface Provider {
  readonly name: string;
  readonly prefix: string;
  readonly pattern: string;
  readonly title: string;
  /** The variable that switches it on. */
  readonly variable: string;
  /** Absent when it is not switched on. */
  readonly connection?: Connection | undefined;
  /** Every model of it can call tools. */
  readonly callsTools?: true;
}

export interface Connection {
  create(modelId: string): LanguageModelV4;
  readonly list: ListSource;
}

export function providersOf(environment: ModelEnvironment, addresses: ProviderAddresses = {}): readonly Provider[] {
  const { OPENROUTER_API_KEY, ANTHROPIC_API_KEY, ORACLE_OPENAI_BASE_URL, ORACLE_OPENAI_API_KEY } = environment;
  return [
    {
      name: 'openrouter',
      prefix: 'openrouter/',
      pattern: 'openrouter/<vendor>/<id>',
      title: 'Any model of OpenRouter',
      variable: 'OPENROUTER_API_KEY',
      connection: OPENROUTER_API_KEY ? openRouter(OPENROUTER_API_KEY, addresses.openRouter) : undefined,
    },
    {
      name: 'anthropic',
      prefix: 'anthropic/',
      pattern: 'anthropic/<id>',
      title: 'Any model of Anthropic',
      variable: 'ANTHROPIC_API_KEY',
      connection: ANTHROPIC_API_KEY ? anthropic(ANTHROPIC_API_KEY, addresses.anthropic) : undefined,
      callsTools: true,
    },
    {
      name: 'openai',
      prefix: 'openai/',
      pattern: 'openai/<id>',
      title: 'Any model of the OpenAI-compatible server',
      variable: 'ORACLE_OPENAI_BASE_URL',
      connection: ORACLE_OPENAI_BASE_URL ? openAiCompatible(ORACLE_OPENAI_BASE_URL, ORACLE_OPENAI_API_KEY) : undefined,
    },
  ];
}

function openRouter(apiKey: string, baseUrl = 'https://openrouter.ai/api/v1'): Connection {
  const endpoint = {
    provider: 'openrouter',
    baseUrl,
    apiKey,
    headers: { 'x-title': 'Oracle Agent' },
    thinking: openRouterThinking,
    adaptations: new Adaptations(),
  };
  return {
    create: (id) => createChatCompletionsModel(endpoint, id),
    list: { url: `${withoutSlash(baseUrl)}/models`, headers: bearer(apiKey) },
  };
}

function anthropic(apiKey: string, baseURL?: string): Connection {
  const base = withoutSlash(baseURL ?? 'https://api.anthropic.com/v1');
  const endpoint = { apiKey, adaptations: new Adaptations(), ...(baseURL === undefined ? {} : { baseURL }) };
  return {
    create: (id) => createAnthropicModel(endpoint, id),
    list: { url: `${base}/models?limit=1000`, headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' } },
  };
}

function openAiCompatible(baseUrl: string, apiKey: string | undefined): Connection {
  const endpoint = { provider: 'openai-compatible', baseUrl, apiKey, adaptations: new Adaptations() };
  return {
    create: (id) => createChatCompletionsModel(endpoint, id),
    list: { url: `${withoutSlash(baseUrl)}/models`, headers: apiKey === undefined ? {} : bearer(apiKey) },
  };
}

function bearer(apiKey: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}` };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
