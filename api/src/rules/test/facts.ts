import { AgentConfigSchema } from '../../agent/config.ts';
import type { CommonFacts, RuleFacts, ToolFact } from '../vocabulary.ts';

const tool: ToolFact = {
  name: 'vault_search',
  arguments: { query: 'caching' },
  ok: true,
  result: 'four hits',
  resultTokens: 40,
  error: '',
  durationMs: 12,
};

const usual: CommonFacts = {
  turn: 3,
  elapsed: 12.5,
  question: 'What did we decide about caching?',
  tokens: { used: 5_000, input: 4_000, output: 1_000, budget: 50_000, left: 45_000, share: 0.1 },
  context: { tokens: 2_000, window: 64_000, share: 0.03125 },
  limits: AgentConfigSchema.parse({}),
  history: { messages: 7, toolCalls: 0, failures: 0, repeats: 0, errorStreak: 0, tools: [] },
  run: { id: 'run-1', model: 'offline', decisionTree: 'default' },
  user: { id: 'user-1', role: 'USER' },
  project: { id: 'project-1', name: 'Trams' },
  state: {},
  event: { name: 'agent.turn.start', severity: 'DEBUG', payload: {} },
};

/** What rules may see in the third turn of a run, with what a test wants to be otherwise. */
export function facts(changes: Partial<RuleFacts> = {}): RuleFacts {
  return { ...usual, tool, ...changes };
}

/** A rule's text with what a test wants to be otherwise; `action` is TOML of its own. */
export function ruleText({
  action = '[action.notify]\nmessage = "It is turn {{ turn }}."',
  ...changes
}: Readonly<Record<string, string | number | boolean>> & { readonly action?: string } = {}): string {
  const keys = { id: 'a-rule', name: 'A rule', trigger: 'TURN_START', condition: 'true', ...changes };
  return `${Object.entries(keys)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join('\n')}\n\n${action}\n`;
}
