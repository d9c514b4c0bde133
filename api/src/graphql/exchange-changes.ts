import { notFound, present } from '../access/access-error.ts';
import { longestLabel } from '../conversations/names.ts';
import { builder } from './builder.ts';
import type { OracleContext } from './context.ts';
import { Conversation } from './conversation.ts';
import { Exchange, reachableExchange } from './exchange.ts';
import { invalid, invalidTypes } from './problem.ts';

const LabelExchangeInput = builder.inputType('LabelExchangeInput', {
  description: 'An exchange and what it is to be called.',
  fields: (t) => ({
    exchangeId: t.id({ required: true, description: 'Which exchange.' }),
    label: t.string({ description: `Its name, up to ${longestLabel} characters; null takes the name away.` }),
  }),
});

const LabelExchangeResult = builder.unionType('LabelExchangeResult', {
  description: 'The exchange as it is called now, or why it is not.',
  types: [Exchange, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Exchange'),
});

const exchangeIdDescription = 'Which exchange.';

async function existingExchange(context: OracleContext, id: string) {
  const found = await reachableExchange(context, id);
  if (!found) throw notFound('exchange');
  return found;
}

builder.mutationFields((t) => ({
  checkoutExchange: t.field({
    type: Conversation,
    description:
      'Makes an exchange the HEAD of its conversation: the next question follows it. It stays so when a run that is under way ends.',
    args: { exchangeId: t.arg.id({ required: true, description: exchangeIdDescription }) },
    resolve: async (_root, { exchangeId }, context) => {
      const { exchange, conversation } = await existingExchange(context, exchangeId);
      return present(await context.conversations.checkout(conversation.userId, exchange), 'exchange');
    },
  }),
  labelExchange: t.field({
    type: LabelExchangeResult,
    description: 'Gives an exchange a name, or takes it away.',
    args: { input: t.arg({ type: LabelExchangeInput, required: true, description: 'Which, and what name.' }) },
    resolve: async (_root, { input }, context) => {
      const { exchange } = await existingExchange(context, input.exchangeId);
      const outcome = await context.conversations.label(exchange.id, input.label ?? null);
      if (outcome.type === 'invalid') return invalid(outcome.problems);
      return (await existingExchange(context, exchange.id)).exchange;
    },
  }),
  checkpointExchange: t.field({
    type: Exchange,
    description: 'Keeps an exchange and its ancestors when branches are pruned, or lets them go.',
    args: {
      exchangeId: t.arg.id({ required: true, description: exchangeIdDescription }),
      checkpoint: t.arg.boolean({ defaultValue: true, description: 'Whether to keep it.' }),
    },
    resolve: async (_root, { exchangeId, checkpoint }, context) => {
      const { exchange, conversation } = await existingExchange(context, exchangeId);
      await context.conversations.checkpoint(conversation.userId, exchange.id, checkpoint ?? true);
      return (await existingExchange(context, exchange.id)).exchange;
    },
  }),
}));
