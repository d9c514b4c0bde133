import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Kit, KitOptions, TestUser } from '../kit/kit.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

type Value = string | number | boolean;

/** The text of a rule with what a test wants to be otherwise; `action` is TOML of its own. At the end nobody takes a hint. */
export function ruleText(
  id: string,
  { action, ...changes }: Readonly<Record<string, Value>> & { readonly action?: string } = {},
): string {
  const told = `[action.${changes.trigger === 'SESSION_END' ? 'notify' : 'hint'}]\nmessage = "Turn {{ turn }}."`;
  const keys = { id, name: `Rule ${id}`, trigger: 'TURN_START', ...changes };
  const lines = Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `${lines.join('\n')}\n\n${action ?? told}\n`;
}

const save = `mutation ($input: SaveRuleInput!) { saveRule(input: $input) { __typename
  ... on Rule { version } ... on InvalidRule { message } ... on RuleConflict { message } } }`;

/** Makes a rule of the organisation's, or gives it another text. */
export async function saveRule(kit: Kit, ...given: Parameters<typeof ruleText>): Promise<void> {
  const text = ruleText(...given);
  const { rule } = await kit.admin.ask<{ rule: object | null }>('query ($id: String!) { rule(id: $id) { id } }', {
    id: given[0],
  });
  const { saveRule: saved } = await kit.admin.ask<{ saveRule: { __typename: string } }>(save, {
    input: { text, ...(rule ? { id: given[0] } : {}) },
  });
  expect(saved).toMatchObject({ __typename: 'Rule' });
}

export async function deleteRule(kit: Kit, id: string): Promise<void> {
  await kit.admin.ask('mutation ($id: String!) { deleteRule(id: $id) }', { id });
}

export interface FiringSeen {
  readonly turn: number;
  readonly trigger: string;
  readonly effect: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly run: { readonly id: string };
}

/** What a rule did, oldest first. */
export async function firingsOf(user: Pick<TestUser, 'ask'>, ruleId: string): Promise<readonly FiringSeen[]> {
  const { ruleFirings } = await user.ask<{ ruleFirings: { edges: { node: FiringSeen }[] } }>(
    `query ($ruleId: String!) { ruleFirings(ruleId: $ruleId, first: 100) { edges { node {
      turn trigger effect error run { id } } } } }`,
    { ruleId },
  );
  return ruleFirings.edges.map(({ node }) => node).toReversed();
}

/** A server for the tests of a file and somebody who asks there; returns what makes a rule that is gone after its test. */
export function useRulesKit(
  onStart: (started: { readonly kit: OracleKit; readonly user: TestUser }) => void,
  options: KitOptions = {},
): MadeRules['make'] {
  let kit: OracleKit;
  const made = new MadeRules(() => kit);
  beforeAll(async () => {
    kit = await startOracleKit(options);
    onStart({ kit, user: await kit.newUser() });
  });
  afterEach(() => made.removeAll());
  afterAll(() => kit.stop());
  return made.make;
}

/** Rules of one test, on a kit that is started later. */
class MadeRules {
  #ids: readonly string[] = [];

  constructor(private readonly kit: () => Kit) {}

  readonly make = async (...given: Parameters<typeof ruleText>): Promise<void> => {
    await saveRule(this.kit(), ...given);
    if (!this.#ids.includes(given[0])) this.#ids = [...this.#ids, given[0]];
  };

  async removeAll(): Promise<void> {
    for (const id of this.#ids) await deleteRule(this.kit(), id);
    this.#ids = [];
  }
}

/** Actions in TOML. */
export const notifyTurn =
  '[action.notify]\nmessage = "It is turn {{ turn }} of {{ limits.maxIterations }}."\nseverity = "WARNING"';
export const setState = (action: string) => `[action.set_state]\n${action}`;
