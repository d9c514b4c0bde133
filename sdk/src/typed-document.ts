/**
 * An operation's text that knows the types of its result and variables. At run time a plain string, so it can be
 * sent as it is and handed to urql, whose types read the same `__apiType` mark. The mark is never there at run time.
 */
export type TypedDocument<Result, Variables> = string & { readonly __apiType?: (variables: Variables) => Result };

/** The result type of a typed document. */
export type ResultOf<Document> = Document extends TypedDocument<infer Result, infer _Variables> ? Result : never;

/** The type of the variables of a typed document. */
export type VariablesOf<Document> = Document extends TypedDocument<infer _Result, infer Variables> ? Variables : never;

/** Joins an operation with the fragments it uses. */
export function typedDocument<Result, Variables>(...parts: readonly string[]): TypedDocument<Result, Variables> {
  return parts.join('\n');
}
