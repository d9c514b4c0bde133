import { type RuleFragment, RuleWordsDocument } from '@oracle-agent/sdk/documents';
import { createMemo, createSignal, ErrorBoundary, For, lazy, Match, Show, Suspense, Switch } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createLoad } from '../../state/load.ts';
import type { RuleDraft } from '../../state/rules/rule-draft.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { ConflictNotice } from '../basics/conflict-notice.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { SkeletonCards } from '../basics/skeleton.tsx';

const said = words.rules;
const CodeEditor = lazy(() => import('./code-editor.tsx'));

interface RuleTextProps {
  /** Undefined for a new one. */
  readonly rule: RuleFragment | undefined;
  readonly draft: RuleDraft;
  readonly onSaved: (id: string) => void;
  readonly onRemoved: () => void;
  readonly onCopy: () => void;
}

/** The text of a rule: edited when it was written here, read otherwise. */
export function RuleText(props: RuleTextProps) {
  const draft = props.draft;
  const [removing, setRemoving] = createSignal(false);
  const editable = () => props.rule === undefined || props.rule.origin === 'ORGANISATION';
  const problems = createMemo(() => {
    const state = draft.state();
    return state.type === 'checked' ? state.problems : [];
  });

  async function save(saving: () => Promise<string | undefined>) {
    if (!editable()) return;
    const id = await saving();
    if (id === undefined) return;
    toasts.show({ text: said.saved(id) });
    props.onSaved(id);
  }

  async function remove() {
    setRemoving(false);
    if (!(await draft.remove())) return;
    toasts.show({ text: said.removed(props.rule?.id ?? '') });
    props.onRemoved();
  }

  /** Somebody else deleted it, and so it shall be. */
  function giveUp() {
    draft.discard();
    props.onRemoved();
  }

  return (
    <div class="flex flex-col gap-3">
      <Show when={!editable()}>
        <p class="text-muted">{said.readOnly}</p>
      </Show>
      {/* Without the editor, as when the server cannot be reached, a plain field does. */}
      <ErrorBoundary
        fallback={
          <textarea
            aria-label={said.editor}
            rows={16}
            spellcheck={false}
            readOnly={!editable()}
            class="w-full rounded-md border border-control bg-surface p-2.5 font-mono text-sm"
            value={draft.text()}
            onInput={(event) => draft.edit(event.currentTarget.value)}
          />
        }
      >
        <Suspense fallback={<SkeletonCards count={1} />}>
          <CodeEditor
            label={said.editor}
            value={draft.text()}
            readOnly={!editable()}
            problems={problems()}
            onChange={draft.edit}
            onSave={() => void save(draft.save)}
          />
        </Suspense>
      </ErrorBoundary>
      <Show when={draft.theirs() !== undefined}>
        <ConflictNotice
          class="rounded-md border"
          text={draft.theirs() ? said.conflict : said.conflictGone}
          theirs={draft.theirs()?.text}
          onKeepMine={() => void save(draft.keepMine)}
          onTakeTheirs={() => (draft.theirs() ? draft.takeTheirs() : giveUp())}
        />
      </Show>
      <div role="status" class="text-sm">
        <Show when={draft.unsaved()}>
          <p class="text-muted">{words.notes.draft}</p>
        </Show>
        <Switch>
          <Match when={draft.state().type === 'failed' && draft.state()}>
            {(state) => <p class="text-failure">{(state() as { message: string }).message}</p>}
          </Match>
          <Match when={draft.state().type === 'checking'}>
            <p class="text-muted">{said.checking}</p>
          </Match>
          <Match when={problems().length > 0}>
            <p class="font-medium text-failure">{said.wrong(problems().length)}</p>
            <ul class="mt-1 flex flex-col gap-1">
              <For each={problems()}>
                {(problem) => (
                  <li class="wrap-anywhere">
                    <span class="text-muted tabular-nums">{said.place(problem.line, problem.column)}</span>{' '}
                    {problem.message}
                  </li>
                )}
              </For>
            </ul>
          </Match>
          <Match when={draft.state().type === 'checked'}>
            <p class="text-success">{said.valid}</p>
          </Match>
        </Switch>
      </div>
      <div class="flex flex-wrap gap-2">
        <Show when={editable()} fallback={<Button onClick={() => props.onCopy()}>{said.copy}</Button>}>
          <Button variant="primary" disabled={draft.state().type === 'saving'} onClick={() => void save(draft.save)}>
            {draft.state().type === 'saving' ? said.saving : said.save}
          </Button>
          <Show when={draft.unsaved()}>
            <Button onClick={() => draft.discard()}>{words.notes.discard}</Button>
          </Show>
          <Show when={props.rule}>
            <Button variant="danger" onClick={() => setRemoving(true)}>
              {said.remove}
            </Button>
          </Show>
        </Show>
      </div>
      <RuleWordsList trigger={props.rule?.trigger ?? 'TOOL_COMPLETE'} />
      <Dialog
        open={removing()}
        onClose={() => setRemoving(false)}
        title={said.removeTitle(props.rule?.id ?? '')}
        description={said.removeText}
        role="alertdialog"
      >
        <div class="flex justify-end gap-2">
          <Button onClick={() => setRemoving(false)}>{said.cancel}</Button>
          <Button variant="danger" onClick={() => void remove()}>
            {said.remove}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

/** What a condition can ask about, folded away. */
function RuleWordsList(props: { readonly trigger: RuleFragment['trigger'] }) {
  const { session } = useApp();
  const load = createLoad(session.client, RuleWordsDocument, () => ({ trigger: props.trigger }));
  const found = () => {
    const state = load.state();
    return state.type === 'ready' ? state.data.ruleWords : [];
  };
  return (
    <details class="rounded-md border border-line px-3 py-2">
      <summary class="cursor-pointer font-medium">{said.words}</summary>
      <p class="mt-1 text-sm text-muted">{said.wordsHint}</p>
      <dl class="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        <For each={found()}>
          {(word) => (
            <>
              <dt class="font-mono wrap-anywhere">
                {word.name} <span class="text-muted">{word.type}</span>
              </dt>
              <dd class="text-muted">{word.help}</dd>
            </>
          )}
        </For>
      </dl>
    </details>
  );
}
