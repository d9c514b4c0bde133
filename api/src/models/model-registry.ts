import type { LanguageModelV4 } from '@ai-sdk/provider';
import { nearest } from '../vault/nearest.ts';
import type { ActingOptions } from './acting-model.ts';
import { advisedModel } from './advised-model.ts';
import { builtInModels } from './built-in-models.ts';
import type { CatalogueEntry } from './catalogue/catalogue-entry.ts';
import type { ListedModel } from './catalogue/listing.ts';
import { type Patience, ProviderList } from './catalogue/provider-list.ts';
import { type ModelEnvironment, type Provider, type ProviderAddresses, providersOf } from './providers.ts';
import { windowSizeOf } from './window-size.ts';

export type { ModelEnvironment };

export interface Models {
  find(name: string): LanguageModelV4 | UnknownModel;
  /** Every model there is, as far as the providers tell. Never fails: a provider that does is listed as not available. */
  catalogue(): Promise<readonly CatalogueEntry[]>;
  /** What can be said about one model, listed or not. */
  describe(name: string): Promise<CatalogueEntry>;
  /** Tokens that a model can hold, by what is known at the moment. */
  windowSize(name: string): number;
}

/** No such model, or not here: the message says which it is, and what can be asked instead. */
export class UnknownModel {
  constructor(
    readonly name: string,
    readonly message: string,
  ) {}
}

export interface ModelsOptions extends ActingOptions {
  readonly addresses?: ProviderAddresses;
  readonly listPatience?: Patience;
}

interface ListedProvider extends Provider {
  readonly list: ProviderList | undefined;
}

const guesses = 3;

export function createModels(environment: ModelEnvironment, options: ModelsOptions = {}): Models {
  const builtIn = builtInModels();
  const providers: readonly ListedProvider[] = providersOf(environment, options.addresses).map((provider) => ({
    ...provider,
    list: provider.connection && new ProviderList(provider.connection.list, options.listPatience),
  }));

  const providerOf = (name: string) =>
    providers.find(({ prefix }) => name.startsWith(prefix) && name.length > prefix.length);

  const windowSize = (name: string) =>
    windowSizeOf(name, (whole) => {
      const provider = providerOf(whole);
      return provider?.list?.known?.get(whole.slice(provider.prefix.length))?.window;
    });

  function find(name: string): LanguageModelV4 | UnknownModel {
    const known = builtIn.get(name);
    if (known !== undefined) return known.create(options);
    const provider = providerOf(name);
    if (provider?.connection !== undefined) {
      const model = provider.connection.create(name.slice(provider.prefix.length));
      return advisedModel(model, () => adviceOn(name, provider));
    }
    return new UnknownModel(name, `${whyUnknown(name, provider)} ${whatElse(name)}`);
  }

  /** For a model that its provider does not know. */
  async function adviceOn(name: string, { prefix, list }: ListedProvider): Promise<string> {
    const listing = await list?.get();
    const ids = listing?.type === 'listed' ? [...listing.models.keys()].map((id) => prefix + id) : [];
    const near = nearest(name, ids, guesses);
    return near.length === 0 ? '' : `Did you mean ${near.join(' or ')}?`;
  }

  function whatElse(name: string): string {
    const named = [...builtIn.keys()];
    const listed = providers.flatMap(({ prefix, list }) => [...(list?.known?.keys() ?? [])].map((id) => prefix + id));
    const near = nearest(name, [...named, ...listed], guesses);
    const guess = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
    const patterns = providers.flatMap(({ pattern, connection }) => (connection === undefined ? [] : [pattern]));
    return `${guess}Available: ${[...patterns, ...named].join(', ')}.`;
  }

  function entryFor(provider: Provider, model: ListedModel): CatalogueEntry {
    const id = provider.prefix + model.id;
    const { title, thinking } = model;
    const tools = provider.callsTools ?? model.tools;
    return {
      id,
      provider: provider.name,
      group: 'PROVIDER',
      title,
      window: windowSize(id),
      tools,
      thinking,
      pattern: false,
    };
  }

  async function entriesOf(provider: ListedProvider): Promise<readonly CatalogueEntry[]> {
    const listing = await provider.list?.get();
    if (listing?.type === 'listed') return [...listing.models.values()].map((model) => entryFor(provider, model));
    const { pattern: id, name, title } = provider;
    const unavailable =
      listing === undefined
        ? `Not switched on: the server needs ${provider.variable}.`
        : `The list of models is not to be had: ${listing.reason}. A model can still be asked for by its id.`;
    return [{ ...unlisted(id, name), title, window: windowSize(id), pattern: true, unavailable }];
  }

  async function describe(name: string): Promise<CatalogueEntry> {
    const own = builtIn.get(name);
    if (own !== undefined) return own.entry;
    const provider = providerOf(name);
    const listing = await provider?.list?.get();
    const plain = unlisted(name, provider?.name ?? 'unknown');
    const entry = { ...plain, title: name, window: windowSize(name), pattern: false };
    if (provider === undefined || listing === undefined) return { ...entry, unavailable: whyUnknown(name, provider) };
    if (listing.type === 'failed') return entry; // whether it exists shows when it is asked
    const listed = listing.models.get(name.slice(provider.prefix.length));
    return listed === undefined
      ? { ...entry, unavailable: `The provider does not list a model "${name}". ${whatElse(name)}` }
      : entryFor(provider, listed);
  }

  return {
    find,
    describe,
    windowSize,
    async catalogue() {
      const real = await Promise.all(providers.map(entriesOf));
      return [...[...builtIn.values()].map(({ entry }) => entry), ...real.flat()];
    },
  };
}

function unlisted(id: string, provider: string) {
  return { id, provider, group: 'PROVIDER' as const, tools: undefined, thinking: undefined };
}

const longestName = 100;

function whyUnknown(name: string, provider: Provider | undefined): string {
  const shown = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
  return provider === undefined
    ? `There is no model "${shown}".`
    : `The model "${shown}" is not switched on here: the server needs ${provider.variable}.`;
}
