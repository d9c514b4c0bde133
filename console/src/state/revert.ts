import type { RevertSettingsFragment } from '@oracle-agent/sdk/documents';
import { createSignal } from 'solid-js';
import { words } from '../words.ts';
import type { Change } from './change-pages.ts';
import { type HistorySource, isHistoryGroup } from './history.ts';
import { toasts } from './toasts.ts';

export type Side = 'before' | 'after';
type Found = Extract<RevertSettingsFragment, { __typename: 'SettingsRevert' }>;

export type RevertPreview =
  | { readonly type: 'loading' }
  | { readonly type: 'ready'; readonly found: Found }
  | { readonly type: 'refused'; readonly messages: readonly string[] };

/** Putting settings back to the state before or after a change: first what that would do, then the doing. */
export function createRevert(source: HistorySource, change: Change, onDone: () => void) {
  const [side, setSide] = createSignal<Side>('before');
  const [preview, setPreview] = createSignal<RevertPreview>({ type: 'loading' });
  const [busy, setBusy] = createSignal(false);
  const [notice, setNotice] = createSignal<string>();
  const { group } = change;
  let latest = 0;

  const target = () => (side() === 'before' ? change.version - 1 : change.version);

  async function send(to: number, expectedVersion: number | null, dryRun: boolean): Promise<RevertOutcome> {
    if (!isHistoryGroup(group)) return { type: 'refused', messages: [words.frame.wentWrong] };
    const answer = await source.revert({ group, to, expectedVersion, dryRun });
    return answer.type === 'failed' ? { type: 'refused', messages: [answer.message] } : readAnswer(answer.data);
  }

  async function look(): Promise<void> {
    const mine = ++latest;
    setPreview({ type: 'loading' });
    const outcome = await send(target(), null, true);
    if (mine === latest && outcome.type !== 'conflict') setPreview(outcome);
  }

  async function choose(next: Side): Promise<void> {
    setSide(next);
    setNotice(undefined);
    await look();
  }

  async function apply(): Promise<void> {
    const seen = preview();
    if (seen.type !== 'ready' || busy()) return;
    const [present, to] = [seen.found.version, target()];
    setBusy(true);
    const outcome = await send(to, present, false);
    setBusy(false);
    if (outcome.type === 'conflict') {
      setNotice(words.history.conflict);
      return look();
    }
    setPreview(outcome);
    if (outcome.type !== 'ready') return;
    const made = outcome.found.version;
    toasts.show({ text: words.history.done, undo: () => undo(present, made) });
    onDone();
  }

  /** Back to where it was before, unless somebody went on from there. */
  async function undo(to: number, made: number): Promise<string | undefined> {
    const outcome = await send(to, made, false);
    if (outcome.type === 'conflict') return words.history.changedSince;
    return outcome.type === 'refused' ? outcome.messages.join(' ') : undefined;
  }

  void look();
  return { side, choose, preview, busy, notice, apply };
}

type RevertOutcome = Exclude<RevertPreview, { type: 'loading' }> | { readonly type: 'conflict' };

function readAnswer(result: RevertSettingsFragment): RevertOutcome {
  switch (result.__typename) {
    case 'SettingsRevert':
      return { type: 'ready', found: result };
    case 'InvalidInput':
      return { type: 'refused', messages: result.problems.map(({ message }) => message) };
    default:
      return { type: 'conflict' };
  }
}
