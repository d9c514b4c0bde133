import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ActingOptions } from './acting-model.ts';
import type { CatalogueEntry } from './catalogue/catalogue-entry.ts';
import { createOfflineModel } from './offline/offline-model.ts';
import { simulations } from './simulated/simulations.ts';
import { windowSizeOf } from './window-size.ts';

export interface BuiltInModel {
  readonly entry: CatalogueEntry;
  create(options: ActingOptions): LanguageModelV4;
}

const shared = { provider: 'built-in', tools: true, pattern: false } as const;

/** The models that need neither a key nor a network. */
export function builtInModels(): ReadonlyMap<string, BuiltInModel> {
  const offline: CatalogueEntry = {
    ...shared,
    id: 'offline',
    group: 'OFFLINE',
    title: 'Offline: passages from the vault, no language model',
    description: 'Searches and reads with the real tools and quotes what fits, with its sources. It makes nothing up.',
    window: windowSizeOf('offline'),
    thinking: false,
  };
  return new Map([
    [offline.id, { entry: offline, create: createOfflineModel }],
    ...simulations.map(({ name, title, shows, thinks, create }) => {
      const entry: CatalogueEntry = {
        ...shared,
        id: name,
        group: 'SIMULATED',
        title,
        description: shows,
        window: windowSizeOf(name),
        thinking: thinks,
      };
      return [name, { entry, create }] as const;
    }),
  ]);
}
