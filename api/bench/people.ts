/** As many people as it takes for all streams to run at once. */
export async function createPeople(
  url: string,
  adminToken: string,
  count: number,
  name = 'bench',
): Promise<readonly string[]> {
  const ask = async (query: string, variables: object) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as {
      readonly data: Record<string, { readonly id: string; readonly token: string }>;
    };
  };
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const created = await ask(
      'mutation ($email: String!) { createUser(input: { name: "Bench", email: $email, role: USER }) { ... on User { id } } }',
      { email: `${name}-${index}@example.com` },
    );
    const issued = await ask(
      'mutation ($userId: ID!) { issueToken(input: { userId: $userId, name: "bench" }) { ... on IssuedToken { token } } }',
      { userId: created.data.createUser?.id },
    );
    tokens.push(issued.data.issueToken?.token ?? '');
  }
  return tokens;
}
