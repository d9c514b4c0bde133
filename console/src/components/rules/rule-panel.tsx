import type { RuleFragment } from '@oracle-agent/sdk/documents';
import { useSearchParams } from '@solidjs/router';
import X from 'lucide-solid/icons/x';
import { For, Match, Show, Switch } from 'solid-js';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { RuleHistory } from './rule-history.tsx';
import { RuleTest } from './rule-test.tsx';
import { RuleText } from './rule-text.tsx';

const said = words.rules;
const views = ['text', 'history', 'test'] as const;

interface RulePanelProps {
  /** Undefined for a new one. */
  readonly rule: RuleFragment | undefined;
  readonly start: string;
  readonly onSaved: (id: string) => void;
  readonly onRemoved: () => void;
  readonly onCopy: (text: string) => void;
  readonly onClose: () => void;
}

/** One rule: its text, what it did, what it would do. */
export function RulePanel(props: RulePanelProps) {
  const [search, setSearch] = useSearchParams<{ view: string }>();
  const view = () => (props.rule ? (views.find((name) => name === search.view) ?? 'text') : 'text');
  const title = () => props.rule?.name ?? said.add;

  return (
    <section aria-label={title()} class="min-w-0 rounded-lg border border-line bg-surface p-4">
      <div class="mb-3 flex items-start justify-between gap-3">
        <div class="min-w-0">
          <h2 class="text-lg font-semibold wrap-anywhere">{title()}</h2>
          <Show when={props.rule?.version}>
            {(version) => <p class="text-sm text-muted">{said.version(version())}</p>}
          </Show>
        </div>
        <IconButton label={said.close} onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <Show when={props.rule}>
        <nav aria-label={said.views.label} class="mb-4 border-b border-line">
          <ul class="-mb-px flex gap-5">
            <For each={views}>
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
        <Match when={view() === 'history' && props.rule}>{(rule) => <RuleHistory ruleId={rule().id} />}</Match>
        <Match when={view() === 'test' && props.rule}>{(rule) => <RuleTest ruleId={rule().id} />}</Match>
        <Match when={true}>
          <RuleText
            rule={props.rule}
            start={props.start}
            onSaved={props.onSaved}
            onRemoved={props.onRemoved}
            onCopy={props.onCopy}
          />
        </Match>
      </Switch>
    </section>
  );
}
