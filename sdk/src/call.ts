import { walkPages } from './pages.ts';
import type { Request, RequestArguments, RequestOptions } from './request.ts';
import type { TypedDocument } from './typed-document.ts';

/** Sends one document and answers with its one root field. */
export type Call<Result, Variables> = (...rest: RequestArguments<Variables>) => Promise<Result[keyof Result]>;

/** Turns a document into a function that sends it. */
export type Bind = <Result, Variables>(document: TypedDocument<Result, Variables>) => Call<Result, Variables>;

/** The nouns are made of these, so that each of their functions is a few bytes. */
export function makeBind(request: Request): Bind {
  return <Result, Variables>(document: TypedDocument<Result, Variables>): Call<Result, Variables> =>
    async (...rest) =>
      Object.values<Result[keyof Result]>((await request(document, ...rest)) as Record<string, never>)[0] as never;
}

/** For operations with one variable: the value itself is handed over. */
export function withOne<Name extends string, Value, Answer>(
  name: Name,
  call: (variables: { readonly [key in Name]: Value }, options?: RequestOptions) => Promise<Answer>,
): (value: Value, options?: RequestOptions) => Promise<Answer> {
  return (value, options) => call({ [name]: value } as { readonly [key in Name]: Value }, options);
}

/** A list that is walked page by page. */
export function everyPage<Which, Node>(
  list: (
    which: Which,
    options?: RequestOptions,
  ) => Promise<{
    readonly edges: readonly { readonly node: Node }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  }>,
): (which?: Omit<Which, 'after'>, options?: RequestOptions) => AsyncGenerator<Node, void> {
  return (which, options) => walkPages((after) => list({ ...which, after } as Which, options));
}
