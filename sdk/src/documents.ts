/** Every typed document and its types, for clients that send them by other means, such as urql. */
export * from './generated/documents.ts';
export type * from './generated/types.ts';
export type { JsonValue } from './json.ts';
export type { ResultOf, TypedDocument, VariablesOf } from './typed-document.ts';
