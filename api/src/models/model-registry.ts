import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Environment } from '../env.ts';
import type { ActingOptions } from './acting-model.ts';
import { createAnthropicModel } from './anthropic-model.ts';
import { createOfflineModel } from './offline/offline-model.ts';
import { createChatCompletionsModel } from './openai/chat-completions-model.ts';
import type { Simulation } from './simulated/simulation.ts';
import { simulations } from './simulated/simulations.ts';

export interface Models {
  find(name: string): LanguageModelV4 | UnknownModel;
  list(): readonly ModelInfo[];
}

/** `name` of a real one is a pattern, such as openrouter/<vendor>/<id>: providers add models without telling us. */
export interface ModelInfo {
  readonly name: string;
  readonly title: string;
  readonly group: 'real' | 'offline' | 'simulated';
}

/** No such model, or not here: the message says which it is, and what can be asked instead. */
export class UnknownModel {
  constructor(
    readonly name: string,
    readonly message: string,
  ) {}
}

export type ModelEnvironment = Pick<
  Environment,
  'OPENROUTER_API_KEY' | 'ANTHROPIC_API_KEY' | 'ORACLE_OPENAI_BASE_URL' | 'ORACLE_OPENAI_API_KEY'
>;

interface Provider {
  readonly prefix: string;
  readonly pattern: string;
  readonly title: string;
  /** The variable that switches it on. */
  readonly variable: string;
  readonly create: ((modelId: string) => LanguageModelV4) | undefined;
}

const openRouterUrl = 'https://openrouter.ai/api/v1';

export function createModels(environment: ModelEnvironment, options: ActingOptions = {}): Models {
  const providers = providersOf(environment);
  const builtIn = new Map<string, Pick<Simulation, 'title' | 'create'>>([
    ['offline', { title: 'Offline: passages from the vault, no language model', create: createOfflineModel }],
    ...simulations.map((simulation) => [simulation.name, simulation] as const),
  ]);

  function list(): readonly ModelInfo[] {
    const real = providers.filter(({ create }) => create !== undefined);
    return [
      ...real.map(({ pattern, title }) => ({ name: pattern, title, group: 'real' as const })),
      ...[...builtIn].map(([name, { title }]) => ({
        name,
        title,
        group: name === 'offline' ? ('offline' as const) : ('simulated' as const),
      })),
    ];
  }

  function find(name: string): LanguageModelV4 | UnknownModel {
    const known = builtIn.get(name);
    if (known !== undefined) return known.create(options);
    const provider = providers.find(({ prefix }) => name.startsWith(prefix) && name.length > prefix.length);
    if (provider?.create !== undefined) return provider.create(name.slice(provider.prefix.length));
    const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
    const why =
      provider === undefined
        ? `There is no model "${shown}".`
        : `The model "${shown}" is not switched on here: the server needs ${provider.variable}.`;
    return new UnknownModel(
      name,
      `${why} Available: ${list()
        .map((model) => model.name)
        .join(', ')}.`,
    );
  }

  return { find, list };
}

function providersOf(environment: ModelEnvironment): readonly Provider[] {
  const { OPENROUTER_API_KEY, ANTHROPIC_API_KEY, ORACLE_OPENAI_BASE_URL, ORACLE_OPENAI_API_KEY } = environment;
  const openRouter = OPENROUTER_API_KEY && {
    provider: 'openrouter',
    baseUrl: openRouterUrl,
    apiKey: OPENROUTER_API_KEY,
    headers: { 'x-title': 'Oracle Agent' },
    reasoning: (thinking: boolean) => (thinking ? { reasoning: { enabled: true } } : {}),
  };
  const openAi = ORACLE_OPENAI_BASE_URL && {
    provider: 'openai-compatible',
    baseUrl: ORACLE_OPENAI_BASE_URL,
    apiKey: ORACLE_OPENAI_API_KEY,
  };
  return [
    {
      prefix: 'openrouter/',
      pattern: 'openrouter/<vendor>/<id>',
      title: 'Any model of OpenRouter',
      variable: 'OPENROUTER_API_KEY',
      create: openRouter ? (id) => createChatCompletionsModel(openRouter, id) : undefined,
    },
    {
      prefix: 'anthropic/',
      pattern: 'anthropic/<id>',
      title: 'Any model of Anthropic',
      variable: 'ANTHROPIC_API_KEY',
      create: ANTHROPIC_API_KEY ? (id) => createAnthropicModel({ apiKey: ANTHROPIC_API_KEY }, id) : undefined,
    },
    {
      prefix: 'openai/',
      pattern: 'openai/<id>',
      title: 'Any model of the OpenAI-compatible server',
      variable: 'ORACLE_OPENAI_BASE_URL',
      create: openAi ? (id) => createChatCompletionsModel(openAi, id) : undefined,
    },
  ];
}
