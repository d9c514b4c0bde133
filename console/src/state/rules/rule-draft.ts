import {
  CheckRuleDocument,
  DeleteRuleDocument,
  type RuleFragment,
  SaveRuleDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { mutate, mutateLarge, query } from '../graphql-client.ts';
import { type DraftPlace, keepDraft, readDraft } from '../kept-draft.ts';
import type { RuleProblem } from './rules-list.ts';

export type DraftState =
  | { readonly type: 'checking' }
  | { readonly type: 'checked'; readonly problems: readonly RuleProblem[] }
  | { readonly type: 'saving' }
  | { readonly type: 'failed'; readonly message: string };

/** What is written: another text for a rule, or a new one, which may have begun as a copy. */
export interface DraftOf {
  readonly userId: string;
  readonly rule: RuleFragment | undefined;
  readonly copied: RuleFragment | undefined;
  /** What a new one begins with that is no copy. */
  readonly template: string;
}

/** What the server has; without a version it is no rule that can be written over. */
interface Stored {
  readonly text: string;
  readonly version: number | null | undefined;
}

const pauseMs = 250;

/**
 * The text of a rule while it is written: kept in this browser at every key, checked after a pause, saved when asked to,
 * and only over what it was begun from.
 */
export function createRuleDraft(client: Client, { userId, rule, copied, template }: DraftOf) {
  /** What is edited stays what it is; all else becomes a new rule. */
  const edited = rule?.origin === 'ORGANISATION' ? rule : undefined;
  let place: DraftPlace = { userId, of: ['rule', rule?.id ?? '+', copied?.id ?? ''] };
  const kept = rule && !edited ? undefined : readDraft(place);
  const [saved, setSaved] = createSignal<Stored>({
    text: (rule ?? copied)?.text ?? template,
    version: edited?.version,
  });
  const [text, setText] = createSignal(kept?.body ?? saved().text);
  const [state, setState] = createSignal<DraftState>({ type: 'checking' });
  /** The version that the text is based on; without one it becomes a new rule. */
  let base = kept ? versionIn(kept.base) : saved().version;
  /** What somebody else made of it meanwhile; null: it is gone. */
  const [theirs, setTheirs] = createSignal<RuleFragment | null | undefined>(
    base === saved().version ? undefined : edited,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  const unsaved = () => text() !== saved().text;

  async function check(): Promise<void> {
    clearTimeout(timer);
    const mine = ++latest;
    const answer = await query(client, CheckRuleDocument, { text: text(), id: base ? edited?.id : undefined });
    if (mine !== latest) return;
    if (answer.type === 'failed') setState({ type: 'failed', message: answer.message });
    else setState({ type: 'checked', problems: answer.data.checkRule.problems });
  }

  function keep(): void {
    keepDraft(place, unsaved() ? { body: text(), base: String(base ?? '') } : undefined);
  }

  function edit(value: string): void {
    setText(value);
    keep();
    if (state().type === 'saving') return;
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
    const sent = text();
    const based = edited && base ? { id: edited.id, expectedVersion: base } : {};
    const answer = await mutateLarge(client, SaveRuleDocument, { input: { text: sent, ...based } });
    if (answer.type === 'failed') return refuse(answer.message);
    const { saveRule: result } = answer.data;
    if (result.__typename === 'Rule') {
      // What was typed meanwhile belongs to the rule that there is now.
      keepDraft(place, undefined);
      place = { userId, of: ['rule', result.id, ''] };
      take({ text: sent, version: result.version });
    }
    if (result.__typename === 'RuleConflict') setTheirs(result.current);
    if (result.__typename === 'InvalidRule' && text() === sent)
      setState({ type: 'checked', problems: result.problems });
    else void check();
    return result.__typename === 'Rule' ? result.id : undefined;
  }

  /** From here on, this is what the text is based on. */
  function take(now: Stored): void {
    base = now.version;
    setTheirs(undefined);
    setSaved(now);
    keep();
  }

  function begin(anew: Stored): void {
    setText(anew.text);
    take(anew);
    void check();
  }

  async function remove(): Promise<boolean> {
    if (!rule) return false;
    const answer = await mutate(client, DeleteRuleDocument, { id: rule.id });
    if (answer.type === 'data') {
      keepDraft(place, undefined);
      return true;
    }
    refuse(answer.message);
    return false;
  }

  function refuse(message: string): undefined {
    setState({ type: 'failed', message });
    return undefined;
  }

  onCleanup(() => clearTimeout(timer));
  void check();
  return {
    text,
    state,
    theirs,
    unsaved,
    edit,
    save,
    remove,
    /** Mine over theirs, knowing what they wrote. */
    keepMine() {
      base = theirs()?.version;
      setTheirs(undefined);
      return save();
    },
    takeTheirs() {
      begin({ text: theirs()?.text ?? template, version: theirs()?.version });
    },
    discard() {
      begin(saved());
    },
  };
}

export type RuleDraft = ReturnType<typeof createRuleDraft>;

function versionIn(base: string): number | undefined {
  return base === '' ? undefined : Number(base);
}
