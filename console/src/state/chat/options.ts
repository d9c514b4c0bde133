import { type AgentConfigOverride, ChatOptionsDocument, type ChatOptionsQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal } from 'solid-js';
import { query } from '../graphql-client.ts';

export type Model = ChatOptionsQuery['models'][number];
export type ConfigField = ChatOptionsQuery['agentConfigFields'][number];
export type FieldName = keyof AgentConfigOverride;

export type Options = ReturnType<typeof createOptions>;

/** How the next questions are answered: what is chosen here goes with them and changes no setting. */
export function createOptions(client: Client) {
  const [known, setKnown] = createSignal<ChatOptionsQuery>();
  const [model, setModel] = createSignal<string>();
  const [decisionTree, setDecisionTree] = createSignal<string>();
  const [limits, setLimits] = createSignal<Readonly<Record<string, string>>>({});

  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const answer = await query(client, ChatOptionsDocument, {});
    loading = undefined; // what failed may be tried again
    if (answer.type !== 'data') return;
    // What the organisation does not allow would only be refused, so it is offered nowhere.
    const models = answer.data.models.filter(({ allowed }) => allowed);
    setKnown({ ...answer.data, models });
  }

  /** What there is to choose from, waited for when it is still on its way; nothing when it cannot be had. */
  async function ready(): Promise<ChatOptionsQuery | undefined> {
    if (known() === undefined) {
      loading ??= load();
      await loading;
    }
    return known();
  }

  /** A limit's own bounds, or the organisation's ceiling where that is lower. */
  function boundsOf(field: ConfigField): { readonly min: number; readonly max: number; readonly own: number } {
    const standing = known()?.effectiveConfig.fields.find((one) => one.field === field.name);
    return {
      min: field.min,
      max: Math.min(field.max, standing?.ceiling ?? field.max),
      own: standing?.value ?? field.default,
    };
  }

  function isValid(field: ConfigField): boolean {
    const entry = limits()[field.name] ?? '';
    const { min, max } = boundsOf(field);
    return entry === '' || (/^\d+$/.test(entry) && Number(entry) >= min && Number(entry) <= max);
  }

  const changedFields = () => (known()?.agentConfigFields ?? []).filter(({ name }) => (limits()[name] ?? '') !== '');
  const valid = () => changedFields().every(isValid);

  return {
    known,
    ready,
    model,
    setModel,
    decisionTree,
    setDecisionTree,
    limit: (name: string) => limits()[name] ?? '',
    setLimit: (name: string, entry: string) => setLimits((now) => ({ ...now, [name]: entry.trim() })),
    boundsOf,
    isValid,
    valid,
    changedFields,
    changed: () => model() !== undefined || decisionTree() !== undefined || changedFields().length > 0,
    reset() {
      setModel(undefined);
      setDecisionTree(undefined);
      setLimits({});
    },
    /** As it goes with a question. */
    input() {
      const entries = changedFields().map(({ name }) => [name, Number(limits()[name])]);
      return {
        ...(model() === undefined ? {} : { model: model() }),
        ...(decisionTree() === undefined ? {} : { decisionTree: decisionTree() }),
        ...(entries.length === 0 ? {} : { config: Object.fromEntries(entries) as AgentConfigOverride }),
      };
    },
  };
}
