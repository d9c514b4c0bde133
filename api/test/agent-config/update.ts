export const update = `mutation ($input: UpdateAgentConfigInput!) {
  updateAgentConfig(input: $input) {
    __typename
    ... on AgentConfig { maxIterations tokenBudget version }
    ... on InvalidAgentConfig { message problems { field message value min max } }
    ... on AgentConfigConflict { message current { maxIterations version } }
  }
}`;

export interface Updated {
  readonly updateAgentConfig: Record<string, unknown> & { readonly problems: Record<string, unknown>[] };
}
