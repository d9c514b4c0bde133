import {
  ChatCheckoutDocument,
  ChatCheckpointDocument,
  ChatDeleteDocument,
  ChatLabelDocument,
  ChatPruneDocument,
  type ChatPruneMutation,
  ChatRenameDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { mutate } from '../graphql-client.ts';

export type Prunable = ChatPruneMutation['pruneConversation'];

/** Undefined when it worked; otherwise why not. */
export type Problem = string | undefined;

/** What can be done to a conversation and its exchanges. */
export function makeTreeActions(client: Client, changed: (conversationId: string) => Promise<void>) {
  return {
    async rename(conversationId: string, title: string): Promise<Problem> {
      const answer = await mutate(client, ChatRenameDocument, { input: { conversationId, title } });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.renameConversation;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      await changed(conversationId);
      return undefined;
    },
    async remove(conversationId: string): Promise<Problem> {
      const answer = await mutate(client, ChatDeleteDocument, { conversationId });
      if (answer.type === 'failed') return answer.message;
      await changed(conversationId);
      return undefined;
    },
    async checkout(conversationId: string, exchangeId: string): Promise<Problem> {
      const answer = await mutate(client, ChatCheckoutDocument, { exchangeId });
      if (answer.type === 'failed') return answer.message;
      await changed(conversationId);
      return undefined;
    },
    async label(conversationId: string, exchangeId: string, label: string): Promise<Problem> {
      const input = { exchangeId, label: label.trim() === '' ? null : label.trim() };
      const answer = await mutate(client, ChatLabelDocument, { input });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.labelExchange;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      await changed(conversationId);
      return undefined;
    },
    async checkpoint(conversationId: string, exchangeId: string, checkpoint: boolean): Promise<Problem> {
      const answer = await mutate(client, ChatCheckpointDocument, { exchangeId, checkpoint });
      if (answer.type === 'failed') return answer.message;
      await changed(conversationId);
      return undefined;
    },
    /** What would go; nothing does yet. */
    async previewPrune(conversationId: string): Promise<Prunable | string> {
      const answer = await mutate(client, ChatPruneDocument, { conversationId, preview: true });
      return answer.type === 'failed' ? answer.message : answer.data.pruneConversation;
    },
    async prune(conversationId: string): Promise<Problem> {
      const answer = await mutate(client, ChatPruneDocument, { conversationId, preview: false });
      if (answer.type === 'failed') return answer.message;
      await changed(conversationId);
      return undefined;
    },
  };
}
