import { ConversationDocument } from './generated/documents.ts';
import type { ConversationId } from './generated/ids.ts';
import type { ConversationQuery } from './generated/types.ts';
import type { Request, RequestOptions } from './request.ts';

/** A tree of exchanges: all `nodes`, and the `path` from the root to HEAD by id. */
export type Conversation = NonNullable<ConversationQuery['conversation']>;

/** Trees of exchanges. */
export interface ConversationsApi {
  /** Null when there is no such conversation, or none the caller may see. */
  get(id: ConversationId, options?: RequestOptions): Promise<Conversation | null>;
}

/** Binds the conversations to a way of sending requests. */
export function makeConversationsApi(request: Request): ConversationsApi {
  return { get: async (id, options) => (await request(ConversationDocument, { id }, options)).conversation };
}
