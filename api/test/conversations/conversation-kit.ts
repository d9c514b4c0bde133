import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import type { OracleKit } from '../oracle/kit/oracle-kit.ts';

/** What the tests look at of a conversation. */
export interface ConversationView {
  readonly __typename: string;
  readonly id: string;
  readonly title: string;
  readonly projectId: string | null;
  readonly headId: string | null;
  readonly active: boolean;
  readonly activeRunId: string | null;
  readonly exchangeCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ExchangeView {
  readonly __typename: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly conversationId: string;
  readonly runId: string;
  readonly kind: string;
  readonly question: string;
  readonly answer: string;
  readonly label: string | null;
  readonly checkpoint: boolean;
  readonly childCount: number;
}

export interface PrunedView {
  readonly preview: boolean;
  readonly count: number;
  readonly exchangeIds: readonly string[];
  readonly exchanges: readonly { readonly id: string; readonly question: string; readonly label: string | null }[];
  readonly conversation: { readonly exchangeCount: number };
}

const conversation =
  '__typename id title projectId headId active activeRunId exchangeCount createdAt updatedAt' as const;
export const exchangeFields =
  '__typename id parentId conversationId runId kind question answer label checkpoint childCount' as const;
const invalid = '... on InvalidInput { __typename message problems { field message min max } }';

export const operations = {
  create: `mutation ($input: CreateConversationInput!) { result: createConversation(input: $input) {
    ... on Conversation { ${conversation} } ${invalid} } }`,
  rename: `mutation ($input: RenameConversationInput!) { result: renameConversation(input: $input) {
    ... on Conversation { ${conversation} } ${invalid} } }`,
  activate: `mutation ($id: ID!) { result: activateConversation(conversationId: $id) { ${conversation} } }`,
  delete: `mutation ($id: ID!) { result: deleteConversation(conversationId: $id) { id exchangeCount cancelledRunId } }`,
  checkout: `mutation ($id: ID!) { result: checkoutExchange(exchangeId: $id) { ${conversation} } }`,
  label: `mutation ($input: LabelExchangeInput!) { result: labelExchange(input: $input) {
    ... on Exchange { ${exchangeFields} } ${invalid} } }`,
  checkpoint: `mutation ($id: ID!, $checkpoint: Boolean) {
    result: checkpointExchange(exchangeId: $id, checkpoint: $checkpoint) { ${exchangeFields} } }`,
  prune: `mutation ($id: ID!, $preview: Boolean) { result: pruneConversation(conversationId: $id, preview: $preview) {
    preview count exchangeIds exchanges { id question label } conversation { exchangeCount } } }`,
  list: `query ($first: Int, $after: String, $search: String, $projectId: ID, $userId: ID) {
    result: conversations(first: $first, after: $after, search: $search, projectId: $projectId, userId: $userId) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { ${conversation} } } } }`,
  active: `query ($projectId: ID) { result: activeConversation(projectId: $projectId) { ${conversation} } }`,
  find: `query ($id: ID!) { result: conversation(id: $id) { ${conversation} } }`,
  exchange: `query ($id: ID!) { result: exchange(id: $id) { ${exchangeFields} } }`,
} as const;

/** Does one of the operations; an error fails the test. */
export async function does<Result>(
  user: Pick<TestUser, 'ask'>,
  operation: keyof typeof operations,
  variables: Record<string, unknown> = {},
): Promise<Result> {
  return (await user.ask<{ result: Result }>(operations[operation], variables)).result;
}

/** An exchange that is answered at once. */
export async function asks(
  kit: OracleKit,
  user: TestUser,
  question: string,
  from: { readonly conversationId?: string; readonly nodeId?: string } = {},
) {
  kit.script(reply.text(`Answer to ${question}`));
  return kit.ask(user, { question, ...from });
}
