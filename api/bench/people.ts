/** Asks a server of the benchmark something; what it refuses ends the benchmark. */
export async function askServer<Data>(
  url: string,
  token: string,
  query: string,
  variables: object = {},
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { readonly data?: Data; readonly errors?: unknown };
  if (!data || errors) throw new Error(`The server refuses: ${JSON.stringify(errors)}`);
  return data;
}

/** As many people as it takes for all streams to run at once. */
export async function createPeople(
  url: string,
  adminToken: string,
  count: number,
  name = 'bench',
): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { createUser } = await askServer<{ createUser: { readonly id: string } }>(
      url,
      adminToken,
      'mutation ($email: String!) { createUser(input: { name: "Bench", email: $email, role: USER }) { ... on User { id } } }',
      { email: `${name}-${index}@example.com` },
    );
    const { issueToken } = await askServer<{ issueToken: { readonly token: string } }>(
      url,
      adminToken,
      'mutation ($userId: ID!) { issueToken(input: { userId: $userId, name: "bench" }) { ... on IssuedToken { token } } }',
      { userId: createUser.id },
    );
    await askServer(url, issueToken.token, '{ projects { id } }'); // the first one is made, with its notes, when first asked for
    tokens.push(issueToken.token);
  }
  return tokens;
}
