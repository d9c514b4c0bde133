/**
 * A string that remembers what it names. Plain strings fit everywhere an id is asked for; the id of one thing does not
 * fit where another's is.
 */
export type Id<Of extends string> = string & { readonly __idOf?: Of };

/** Names a run. */
export type RunId = Id<'Run'>;
/** Names a conversation. */
export type ConversationId = Id<'Conversation'>;
/** Names an exchange: a node of a conversation's tree. */
export type ExchangeId = Id<'Exchange'>;
/** Names a person. */
export type UserId = Id<'User'>;
/** Names a token, without being one. */
export type AccessTokenId = Id<'AccessToken'>;
/** Names a project. */
export type ProjectId = Id<'Project'>;
/** Names a note. */
export type NoteId = Id<'Note'>;
