import type { RuleFragment } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import X from 'lucide-solid/icons/x';
import { For, Match, Show, Switch } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { createRuleDraft } from '../../state/rules/rule-draft.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { RuleHistory } from './rule-history.tsx';
import { RuleTest } from './rule-test.tsx';
import { RuleText } from './rule-text.tsx';

const said = words.rules;

interface RulePanelProps {
  /** Undefined for a new one. */
  readonly rule: RuleFragment | undefined;
  /** What a new one begins as a copy of. */
  readonly copied: RuleFragment | undefined;
  /** Whether it can be written, rather than switched alone. */
  readonly everyone: boolean;
  readonly onSaved: (id: string) => void;
  readonly onRemoved: () => void;
  readonly onCopy: () => void;
  readonly onClose: () => void;
}

/** One rule: its text, what it did, what it would do. */
export function RulePanel(props: RulePanelProps) {
  const { session } = useApp();
  const viewer = useViewer();
  const [search, setSearch] = useSearchParams<{ view: string }>();
  const views = () => {
    if (!props.everyone) return ['history'] as const;
    return props.rule ? (['text', 'history', 'test'] as const) : (['text', 'test'] as const);
  };
  const view = () => views().find((name) => name === search.view) ?? views()[0];
  const title = () => props.rule?.name ?? said.add;
  const draft = props.everyone
    ? createRuleDraft(session.client, {
        userId: viewer().id,
        rule: props.rule,
        copied: props.copied,
        template: said.template,
      })
    : undefined;

  return (
    <section aria-label={title()} class="rounded-lg border border-line bg-surface p-4">
      <div class="mb-3 flex items-start justify-between gap-3">
        <div class="min-w-0">
          <h2 dir="auto" tabindex="-1" class="text-lg font-semibold wrap-anywhere">
            {title()}
          </h2>
          <Show when={props.rule?.version}>
            {(version) => <p class="text-sm text-muted">{said.version(version())}</p>}
          </Show>
        </div>
        <IconButton label={said.close} onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <Show when={views().length > 1}>
        <nav aria-label={said.views.label} class="mb-4 border-b border-line">
          <ul class="-mb-px flex gap-5">
            <For each={views()}>
              {(name) => (
                <li>
                  <button
                    type="button"
                    aria-current={view() === name ? 'page' : undefined}
                    onClick={() => setSearch({ view: name === 'text' ? undefined : name }, { scroll: false })}
                    class="flex h-9 items-center border-b-2 border-transparent font-medium text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
                  >
                    {said.views[name]}
                  </button>
                </li>
              )}
            </For>
          </ul>
        </nav>
      </Show>
      <Switch>
        <Match when={view() === 'history' && props.rule?.id} keyed>
          {(id) => <RuleHistory ruleId={id} />}
        </Match>
        <Match when={view() === 'test' && draft} keyed>
          {(draft) => <RuleTest ruleId={props.rule?.id} text={draft.unsaved() ? draft.text() : undefined} />}
        </Match>
        <Match when={draft} keyed>
          {(draft) => (
            <RuleText
              rule={props.rule}
              draft={draft}
              onSaved={props.onSaved}
              onRemoved={props.onRemoved}
              onCopy={props.onCopy}
            />
          )}
        </Match>
      </Switch>
    </section>
  );
}
