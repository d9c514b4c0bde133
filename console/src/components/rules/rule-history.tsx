import { type RuleFiringFragment, RuleFiringsDocument } from '@oracle-agent/sdk/documents';
import { createSignal, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { query } from '../../state/graphql-client.ts';
import { createLoad } from '../../state/load.ts';
import { effectWords } from '../../state/rules/effect-words.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { TimeText } from '../basics/time-text.tsx';

const said = words.rules;

/** What a rule did, newest first, more when asked for. */
export function RuleHistory(props: { readonly ruleId: string }) {
  const { session } = useApp();
  const load = createLoad(session.client, RuleFiringsDocument, () => ({ ruleId: props.ruleId, first: 20 }));
  const [more, setMore] = createSignal<readonly RuleFiringFragment[]>([]);
  const [next, setNext] = createSignal<string | null>();

  async function showMore(after: string | null) {
    const answer = await query(session.client, RuleFiringsDocument, { ruleId: props.ruleId, first: 50, after });
    if (answer.type !== 'data') return;
    const { edges, pageInfo } = answer.data.ruleFirings;
    setMore((known) => [...known, ...edges.map(({ node }) => node)]);
    setNext(pageInfo.hasNextPage ? pageInfo.endCursor : null);
  }

  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(data) => {
        const page = () => data().ruleFirings;
        const firings = () => [...page().edges.map(({ node }) => node), ...more()];
        const cursor = () =>
          next() === undefined ? (page().pageInfo.hasNextPage ? page().pageInfo.endCursor : null) : next();
        return (
          <Show
            when={firings().length > 0}
            fallback={<EmptyNotice title={said.historyEmpty} text={said.historyEmptyText} />}
          >
            <ul aria-label={said.historyCaption} class="divide-y divide-line">
              <For each={firings()}>
                {(firing) => (
                  <li class="py-2">
                    <p class="wrap-anywhere" classList={{ 'text-failure': firing.error !== null }}>
                      {firing.error === null ? effectWords(firing.effect) : said.failedWith(firing.error)}
                    </p>
                    <p class="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
                      <TimeText at={firing.at} />
                      <span>{said.testTurn(firing.turn)}</span>
                      <Show when={firing.run} fallback={<span>{said.runDeleted}</span>}>
                        {(run) => (
                          <a href={`/runs/${run().id}`} class="min-w-0 truncate text-accent-text hover:underline">
                            {run().question}
                          </a>
                        )}
                      </Show>
                    </p>
                  </li>
                )}
              </For>
            </ul>
            <Show when={cursor()}>
              {(after) => (
                <Button class="mt-3" onClick={() => void showMore(after())}>
                  {said.more}
                </Button>
              )}
            </Show>
          </Show>
        );
      }}
    </LoadView>
  );
}
