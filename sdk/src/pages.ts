interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Walks all pages of a list, asking for the next one only when the reader gets there. */
export async function* walkPages<Node>(
  fetchPage: (after: string | null) => Promise<Page<Node>>,
): AsyncGenerator<Node, void, void> {
  let after: string | null = null;
  do {
    const { edges, pageInfo }: Page<Node> = await fetchPage(after);
    for (const { node } of edges) yield node;
    after = pageInfo.hasNextPage && pageInfo.endCursor !== after ? pageInfo.endCursor : null;
  } while (after !== null);
}
