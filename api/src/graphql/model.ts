import type { CatalogueEntry } from '../models/catalogue/catalogue-entry.ts';
import { isModelAllowed } from '../settings/allowed-models.ts';
import { modelSettingsGroup } from '../settings/setting-group.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { defineEnum } from './enum.ts';

const ModelGroup = defineEnum('ModelGroup', 'What kind of model it is.', {
  OFFLINE: 'Answers by retrieval, without a language model and without a key.',
  SIMULATED: 'Acts out a scenario, without a key; its description says what there is to see.',
  PROVIDER: 'A language model of a provider that an administrator switches on.',
});

type ListedModel = CatalogueEntry & { readonly isDefault: boolean; readonly allowed: boolean };

const Model = builder.objectRef<ListedModel>('Model').implement({
  description: 'A model that can be asked, or one that could be.',
  fields: (t) => ({
    id: t.exposeString('id', {
      description: 'What to put into `model` of a question or into the model settings; with `isPattern`, its form.',
    }),
    provider: t.exposeString('provider', {
      description: 'Who answers: built-in, openrouter, anthropic or openai (any OpenAI-compatible server).',
    }),
    group: t.field({ type: ModelGroup, description: 'What kind of model it is.', resolve: ({ group }) => group }),
    title: t.exposeString('title', { description: 'Its name for people.' }),
    description: t.string({
      nullable: true,
      description: 'What it does, or what a simulation shows.',
      resolve: ({ description }) => description ?? null,
    }),
    window: t.exposeInt('window', { description: 'How many tokens it can hold at once.' }),
    tools: t.boolean({
      nullable: true,
      description: 'Whether it can call tools by itself; null when its provider does not say. Calls as text work too.',
      resolve: ({ tools }) => tools ?? null,
    }),
    thinking: t.boolean({
      nullable: true,
      description: 'Whether it can show its reasoning; null when its provider does not say.',
      resolve: ({ thinking }) => thinking ?? null,
    }),
    available: t.boolean({
      description: 'Whether it can be asked now.',
      resolve: ({ unavailable }) => unavailable === undefined,
    }),
    unavailableReason: t.string({
      nullable: true,
      description: 'Why it cannot be asked, in a sentence; null when it can.',
      resolve: ({ unavailable }) => unavailable ?? null,
    }),
    allowed: t.exposeBoolean('allowed', { description: 'Whether the organisation allows it.' }),
    isPattern: t.boolean({
      description: 'Whether `id` is a form to fill in: stands for all models of a provider that has no list to show.',
      resolve: ({ pattern }) => pattern,
    }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether it answers the questions of the caller that name no model.',
    }),
  }),
});

builder.queryField('models', (t) =>
  t.field({
    type: [Model],
    description:
      'Every model there is: the built-in ones first, then those that the providers list. A provider that cannot be asked is listed as not available.',
    args: {
      search: t.arg.string({ description: 'Only those with all of these words in id or title.' }),
      group: t.arg({ type: ModelGroup, description: 'Only this kind.' }),
      available: t.arg.boolean({ description: 'Only those that can be asked now, or only those that cannot.' }),
    },
    resolve: async (_root, { search, group, available }, context) => {
      const words = (search ?? '').toLowerCase().split(/\s+/);
      return (await listed(context)).filter(
        (model) =>
          words.every((word) => `${model.id} ${model.title}`.toLowerCase().includes(word)) &&
          (group == null || model.group === group) &&
          (available == null || available === (model.unavailable === undefined)),
      );
    },
  }),
);

/** The catalogue, with the caller's own model in it even when nobody lists it. */
async function listed(context: OracleContext): Promise<readonly ListedModel[]> {
  const { models, settings } = context;
  const [entries, { fields }, allowed] = await Promise.all([
    models.catalogue(),
    settings.inForce(modelSettingsGroup, viewerOf(context).userId),
    settings.allowedModels(),
  ]);
  const chosen = String(fields.find(({ field }) => field === 'oracleModel')?.value);
  const all = entries.some(({ id }) => id === chosen) ? entries : [...entries, await models.describe(chosen)];
  return all.map((entry) => ({
    ...entry,
    isDefault: entry.id === chosen,
    allowed: isModelAllowed(allowed, entry.id),
  }));
}
