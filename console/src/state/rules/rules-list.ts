import {
  type RuleFragment,
  RuleProblemsDocument,
  RulesDocument,
  type RulesQuery,
  SetRuleEnabledDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal } from 'solid-js';
import { words } from '../../words.ts';
import { type Answer, mutate, query } from '../graphql-client.ts';
import type { LoadState } from '../load.ts';
import { toasts } from '../toasts.ts';

export type RuleProblem = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

export interface RulesLoaded {
  readonly rules: readonly RuleFragment[];
  readonly problems: readonly RuleProblem[];
}

const pageSize = 100;

/** All rules, in the order in which they would fire, and their switches: while one is moved, pressing it again does nothing. */
export function createRulesList(client: Client, everyone: boolean) {
  const [state, setState] = createSignal<LoadState<RulesLoaded>>({ type: 'loading' });
  const switching = new Set<string>();

  async function readAll(): Promise<LoadState<RulesLoaded>> {
    const rules: RuleFragment[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const answer: Answer<RulesQuery> = await query(client, RulesDocument, { first: pageSize, after });
      if (answer.type === 'failed') return answer;
      const { edges, pageInfo }: RulesQuery['rules'] = answer.data.rules;
      rules.push(...edges.map(({ node }) => node));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    const problems = everyone ? await query(client, RuleProblemsDocument, {}) : undefined;
    return {
      type: 'ready',
      data: { rules: inOrder(rules), problems: problems?.type === 'data' ? problems.data.ruleProblems : [] },
    };
  }

  async function reload(): Promise<void> {
    const read = await readAll();
    if (read.type === 'ready' || state().type !== 'ready') setState(read);
  }

  function take(rule: RuleFragment): void {
    const now = state();
    if (now.type !== 'ready') return;
    const rules = now.data.rules.map((known) => (known.id === rule.id ? rule : known));
    setState({ type: 'ready', data: { ...now.data, rules } });
  }

  /** Undoable: a switch for everybody is easily pressed by mistake. */
  async function setEnabled(rule: RuleFragment, enabled: boolean): Promise<void> {
    if (switching.has(rule.id)) return;
    const failure = await send(rule.id, enabled);
    if (failure !== undefined) toasts.show({ text: failure, tone: 'failure' });
    else {
      const text = enabled ? words.rules.switchedOn(rule.name) : words.rules.switchedOff(rule.name);
      toasts.show({ text, undo: () => send(rule.id, !enabled) });
    }
  }

  async function send(ruleId: string, enabled: boolean): Promise<string | undefined> {
    switching.add(ruleId);
    const answer = await mutate(client, SetRuleEnabledDocument, { ruleId, enabled, forEverybody: everyone });
    switching.delete(ruleId);
    if (answer.type === 'failed') return answer.message;
    const { setRuleEnabled: result } = answer.data;
    if (result.__typename === 'InvalidInput') return result.message;
    take(result);
    return undefined;
  }

  void reload();
  return { state, reload, setEnabled };
}

export type RulesList = ReturnType<typeof createRulesList>;

/** By trigger, in the order in which they occur in a run, then by priority. */
export function inOrder<Rule extends Pick<RuleFragment, 'trigger' | 'priority' | 'id'>>(
  rules: readonly Rule[],
): readonly Rule[] {
  const triggers = Object.keys(words.rules.triggers);
  return rules.toSorted(
    (one, other) =>
      triggers.indexOf(one.trigger) - triggers.indexOf(other.trigger) ||
      other.priority - one.priority ||
      (one.id < other.id ? -1 : 1),
  );
}

/** What the switch of a row shows: for everybody what counts without a person's own choice. */
export function isOn(rule: RuleFragment, everyone: boolean): boolean {
  return everyone ? (rule.enabledForEverybody ?? rule.enabledByDefault) : rule.enabledForMe;
}
