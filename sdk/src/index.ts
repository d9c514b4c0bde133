export type { JsonValue } from './json.ts';
export type { ResultOf, TypedDocument, VariablesOf } from './typed-document.ts';
