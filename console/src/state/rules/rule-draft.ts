import {
  CheckRuleDocument,
  DeleteRuleDocument,
  type RuleFragment,
  SaveRuleDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../../words.ts';
import { mutate, query } from '../graphql-client.ts';
import type { RuleProblem } from './rules-list.ts';

export type DraftState =
  | { readonly type: 'checking' }
  | { readonly type: 'checked'; readonly problems: readonly RuleProblem[] }
  | { readonly type: 'saving' }
  | { readonly type: 'failed'; readonly message: string };

const pauseMs = 250;

/** The text of a rule while it is written: checked after a pause, saved when asked to. Nothing typed is ever lost. */
export function createRuleDraft(client: Client, start: string, rule: RuleFragment | undefined) {
  const [text, setText] = createSignal(start);
  const [state, setState] = createSignal<DraftState>({ type: 'checking' });
  /** What is edited stays what it is; all else becomes a new rule. */
  const edited = rule?.origin === 'ORGANISATION' ? rule : undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function check(): Promise<void> {
    const mine = ++latest;
    const answer = await query(client, CheckRuleDocument, { text: text(), id: edited?.id });
    if (mine !== latest) return;
    if (answer.type === 'failed') setState({ type: 'failed', message: answer.message });
    else setState({ type: 'checked', problems: answer.data.checkRule.problems });
  }

  function edit(value: string): void {
    setText(value);
    setState({ type: 'checking' });
    clearTimeout(timer);
    timer = setTimeout(() => void check(), pauseMs);
  }

  /** The id that was saved, unless it was not. */
  async function save(): Promise<string | undefined> {
    if (state().type === 'saving') return undefined;
    clearTimeout(timer);
    latest += 1;
    setState({ type: 'saving' });
    const based = edited ? { id: edited.id, expectedVersion: edited.version } : {};
    const answer = await mutate(client, SaveRuleDocument, { input: { text: text(), ...based } });
    if (answer.type === 'failed') return refuse(answer.message);
    const { saveRule: result } = answer.data;
    if (result.__typename === 'RuleConflict') return refuse(words.rules.conflict);
    if (result.__typename === 'InvalidRule') {
      setState({ type: 'checked', problems: result.problems });
      return undefined;
    }
    setState({ type: 'checked', problems: [] });
    return result.id;
  }

  async function remove(): Promise<boolean> {
    if (!rule) return false;
    const answer = await mutate(client, DeleteRuleDocument, { id: rule.id });
    if (answer.type === 'data') return true;
    refuse(answer.message);
    return false;
  }

  function refuse(message: string): undefined {
    setState({ type: 'failed', message });
    return undefined;
  }

  onCleanup(() => clearTimeout(timer));
  void check();
  return { text, state, edit, save, remove };
}

export type RuleDraft = ReturnType<typeof createRuleDraft>;
