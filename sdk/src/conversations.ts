import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { ConversationId, ExchangeId, ProjectId } from './generated/ids.ts';
import type {
  ConversationFragment,
  ConversationNodesQueryVariables,
  ConversationPathQueryVariables,
  ConversationsQuery,
  ConversationsQueryVariables,
  CreateConversationInput,
  CreateConversationMutation,
  DeleteConversationMutation,
  ExchangeFragment,
  LabelExchangeInput,
  LabelExchangeMutation,
  PruneConversationMutation,
  PruneConversationMutationVariables,
  RenameConversationInput,
  RenameConversationMutation,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of conversations, with the cursor that leads to the next. */
export type ConversationPage = ConversationsQuery['conversations'];
/** The new conversation, or what is wrong with the input: told apart by `__typename`. */
export type CreateConversationResult = CreateConversationMutation['createConversation'];
/** The conversation under its new title, or what is wrong with it: told apart by `__typename`. */
export type RenameConversationResult = RenameConversationMutation['renameConversation'];
/** The exchange with its label, or what is wrong with that: told apart by `__typename`. */
export type LabelExchangeResult = LabelExchangeMutation['labelExchange'];
/** What is gone. */
export type DeletedConversation = DeleteConversationMutation['deleteConversation'];
/** What was pruned, or would be. */
export type PrunedConversation = PruneConversationMutation['pruneConversation'];

/** Trees of exchanges. A question with a `conversationId` goes on from HEAD, one with a `nodeId` branches. */
export interface ConversationsApi {
  /** Null when there is no such conversation, or none the caller may see. */
  get(id: ConversationId, options?: RequestOptions): Promise<ConversationFragment | null>;
  /** One page, newest first; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: ConversationsQueryVariables, options?: RequestOptions): Promise<ConversationPage>;
  /** All that match, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<ConversationsQueryVariables, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<ConversationFragment, void>;
  /** The exchanges from the root to HEAD. Null when there is no such conversation. */
  path(which: ConversationPathQueryVariables, options?: RequestOptions): Promise<readonly ExchangeFragment[] | null>;
  /** The exchanges of all branches, oldest first. Null when there is no such conversation. */
  nodes(which: ConversationNodesQueryVariables, options?: RequestOptions): Promise<readonly ExchangeFragment[] | null>;
  /** One exchange. Null when there is none that the caller may see. */
  exchange(id: ExchangeId, options?: RequestOptions): Promise<ExchangeFragment | null>;
  /** The one to go on with; null when there is none. */
  active(projectId?: ProjectId, options?: RequestOptions): Promise<ConversationFragment | null>;
  /** Makes it the one to go on with. */
  activate(id: ConversationId, options?: RequestOptions): Promise<ConversationFragment>;
  /** Begins one without asking anything yet. */
  create(input?: CreateConversationInput, options?: RequestOptions): Promise<CreateConversationResult>;
  /** Gives it another title. */
  rename(input: RenameConversationInput, options?: RequestOptions): Promise<RenameConversationResult>;
  /** Deletes it with all its exchanges; a run under way is cancelled first. */
  delete(id: ConversationId, options?: RequestOptions): Promise<DeletedConversation>;
  /** Removes branches that nothing holds; `preview` only tells which. */
  prune(which: PruneConversationMutationVariables, options?: RequestOptions): Promise<PrunedConversation>;
  /** Moves HEAD: the next question follows this exchange. */
  checkout(id: ExchangeId, options?: RequestOptions): Promise<ConversationFragment>;
  /** Keeps an exchange from being pruned, or no longer. */
  checkpoint(id: ExchangeId, checkpoint?: boolean, options?: RequestOptions): Promise<ExchangeFragment>;
  /** Names an exchange; null takes the name away. */
  label(input: LabelExchangeInput, options?: RequestOptions): Promise<LabelExchangeResult>;
}

/** Binds the conversations to a way of sending requests. */
export function makeConversationsApi(bind: Bind): ConversationsApi {
  const list = bind(documents.ConversationsDocument);
  const path = bind(documents.ConversationPathDocument);
  const nodes = bind(documents.ConversationNodesDocument);
  const active = bind(documents.ActiveConversationDocument);
  const create = bind(documents.CreateConversationDocument);
  const checkpoint = bind(documents.CheckpointExchangeDocument);
  return {
    get: withOne('id', bind(documents.ConversationDocument)),
    list,
    all: everyPage(list),
    path: async (which, options) => (await path(which, options))?.path ?? null,
    nodes: async (which, options) => (await nodes(which, options))?.nodes ?? null,
    exchange: withOne('id', bind(documents.ExchangeDocument)),
    active: (projectId, options) => active({ projectId }, options),
    activate: withOne('conversationId', bind(documents.ActivateConversationDocument)),
    create: (input = {}, options) => create({ input }, options),
    rename: withOne('input', bind(documents.RenameConversationDocument)),
    delete: withOne('conversationId', bind(documents.DeleteConversationDocument)),
    prune: bind(documents.PruneConversationDocument),
    checkout: withOne('exchangeId', bind(documents.CheckoutExchangeDocument)),
    checkpoint: (exchangeId, kept = true, options) => checkpoint({ exchangeId, checkpoint: kept }, options),
    label: withOne('input', bind(documents.LabelExchangeDocument)),
  };
}
