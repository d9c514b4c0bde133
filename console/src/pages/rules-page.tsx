import { useLocation, useSearchParams } from '@solidjs/router';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import Plus from 'lucide-solid/icons/plus';
import { createEffect, createMemo, For, Index, on, Show } from 'solid-js';
import { Button } from '../components/basics/button.tsx';
import { LoadView } from '../components/basics/load-view.tsx';
import { EmptyNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { RulePanel } from '../components/rules/rule-panel.tsx';
import { RuleRow } from '../components/rules/rule-row.tsx';
import { useApp } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { createRulesList, type RuleProblem } from '../state/rules/rules-list.ts';
import { words } from '../words.ts';

const said = words.rules;
/** In the address, for one that is being written; no rule can have this id. */
const newRule = '+';

/** The rules of everybody for an administrator, who writes and switches them; else those that a person can switch. */
export function RulesPage(props: { readonly everyone?: boolean }) {
  createPlace(() => said.title);
  const { session } = useApp();
  const everyone = props.everyone === true;
  const list = createRulesList(session.client, everyone);
  const location = useLocation();
  const [search, setSearch] = useSearchParams<{ rule: string; copy: string; view: string }>();
  const open = (rule: string | undefined, copy?: string) =>
    setSearch({ rule, copy, view: undefined }, { scroll: false });
  let rows: HTMLUListElement | undefined;
  let panel: HTMLDivElement | undefined;

  function close() {
    const row = rows?.querySelector<HTMLElement>('[aria-current]');
    open(undefined);
    row?.focus();
  }

  return (
    <>
      <PageHeader
        title={said.title}
        description={everyone ? said.description : said.descriptionOwn}
        actions={
          everyone ? (
            <Button variant="primary" onClick={() => open(newRule)}>
              <Plus class="size-4" aria-hidden="true" /> {said.add}
            </Button>
          ) : undefined
        }
      />
      <LoadView state={list.state()} onRetry={() => void list.reload()}>
        {(data) => {
          const ruleOf = (id: string | undefined) => data().rules.find((rule) => rule.id === id);
          const chosen = () => ruleOf(search.rule);
          /** Begun anew for every rule, and for every copy of one. */
          const shown = createMemo(() =>
            search.rule === newRule && everyone ? `${newRule}${search.copy ?? ''}` : chosen() && search.rule,
          );
          // Where it opens is where a person goes on, with the keyboard too; a page that was opened with it stays as it is.
          createEffect(on(shown, (key) => key && panel?.querySelector('h2')?.focus(), { defer: true }));
          return (
            <>
              <Problems problems={data().problems} />
              <div class="grid items-start gap-4" classList={{ 'lg:grid-cols-2': shown() !== undefined }}>
                {/* On a small screen what was chosen comes first. */}
                <div
                  class="min-w-0 rounded-lg border border-line bg-surface"
                  classList={{ 'max-lg:order-last': shown() !== undefined }}
                >
                  <Show
                    when={data().rules.length > 0}
                    fallback={<EmptyNotice title={said.empty} text={said.emptyText} />}
                  >
                    <ul ref={rows} aria-label={said.list} class="divide-y divide-line">
                      {/* A row stays when its switch has moved, and with it who is in it. */}
                      <Index each={data().rules}>
                        {(rule) => (
                          <RuleRow
                            rule={rule()}
                            list={list}
                            everyone={everyone}
                            href={`${location.pathname}?rule=${rule().id}`}
                            current={rule().id === search.rule}
                          />
                        )}
                      </Index>
                    </ul>
                  </Show>
                </div>
                <div
                  ref={panel}
                  class="min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto"
                  classList={{ hidden: shown() === undefined }}
                >
                  <Show when={shown()} keyed>
                    <RulePanel
                      rule={chosen()}
                      copied={ruleOf(search.copy)}
                      everyone={everyone}
                      onSaved={(id) => void list.reload().then(() => search.rule === newRule && open(id))}
                      onRemoved={() => void list.reload().then(() => open(undefined))}
                      onCopy={() => open(newRule, search.rule)}
                      onClose={close}
                    />
                  </Show>
                </div>
              </div>
            </>
          );
        }}
      </LoadView>
    </>
  );
}

/** Rules that cannot be used, with where to mend them. */
function Problems(props: { readonly problems: readonly RuleProblem[] }) {
  return (
    <Show when={props.problems.length > 0}>
      <div role="alert" class="mb-4 flex gap-3 rounded-lg border border-failure-line bg-failure-soft px-4 py-3">
        <CircleAlert class="mt-0.5 size-4 shrink-0 text-failure" aria-hidden="true" />
        <div class="min-w-0">
          <p class="font-medium">{said.problems(props.problems.length)}</p>
          <ul class="mt-1 flex flex-col gap-1 text-sm">
            <For each={props.problems}>
              {(problem) => (
                <li class="wrap-anywhere">
                  {said.problemAt(problem.file, problem.line, problem.column)} {problem.message}
                </li>
              )}
            </For>
          </ul>
        </div>
      </div>
    </Show>
  );
}
