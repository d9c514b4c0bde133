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

/**
 * An operation that is one field, called what it is called, which takes its variables (`id:ID!,first:Int`) as they are.
 * The `__typename` of what it selects comes by itself.
 */
export function fieldDocument<Result, Variables>(
  kind: string,
  field: string,
  variables: string,
  selection: string,
  ...fragments: readonly string[]
): TypedDocument<Result, Variables> {
  const declared = variables && `(${variables.replace(/\w+:/g, '$$$&')})`;
  const passed = variables && `(${variables.replace(/(\w+):[^,]+/g, '$1:$$$1')})`;
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  const selected = selection && `{__typename ${selection}}`;
  return typedDocument(`${kind} ${name}${declared}{${field}${passed}${selected}}`, ...fragments);
}
