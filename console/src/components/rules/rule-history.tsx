import { type RuleFiringFragment, RuleFiringsDocument, RunsChangedDocument } from '@oracle-agent/sdk/documents';
import { For, onCleanup, Show } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { query } from '../../state/graphql-client.ts';
import { createPages } from '../../state/pages.ts';
import { effectWords } from '../../state/rules/effect-words.ts';
import { words } from '../../words.ts';
import { LoadView } from '../basics/load-view.tsx';
import { MoreButton } from '../basics/more-button.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { TimeText } from '../basics/time-text.tsx';

const said = words.rules;

/** What a rule did, newest first, more when asked for; what it does meanwhile appears. */
export function RuleHistory(props: { readonly ruleId: string }) {
  const { session, live } = useApp();
  const viewer = useViewer();
  const pages = createPages(
    () => props.ruleId,
    async (ruleId, page) => {
      const answer = await query(session.client, RuleFiringsDocument, { ruleId, ...page });
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.ruleFirings };
    },
    20,
  );
  const whose = viewer().role === 'ADMIN' ? { everyone: true } : {};
  onCleanup(live.subscribe(RunsChangedDocument, whose, () => void pages.refresh()));

  return (
    <LoadView state={pages.state()} onRetry={() => void pages.reload()}>
      {(data) => (
        <Show
          when={data().list.length > 0}
          fallback={<EmptyNotice title={said.historyEmpty} text={said.historyEmptyText} />}
        >
          <ul aria-label={said.historyCaption} class="divide-y divide-line">
            <For each={data().list}>{(firing) => <FiringRow firing={firing} />}</For>
          </ul>
          <MoreButton pages={pages} />
        </Show>
      )}
    </LoadView>
  );
}

function FiringRow(props: { readonly firing: RuleFiringFragment }) {
  return (
    <li class="py-2">
      <p dir="auto" class="wrap-anywhere" classList={{ 'text-failure': props.firing.error !== null }}>
        {props.firing.error === null ? effectWords(props.firing.effect) : said.failedWith(props.firing.error)}
      </p>
      <p class="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        <TimeText at={props.firing.at} />
        <span>{said.testTurn(props.firing.turn)}</span>
        <Show when={props.firing.run} fallback={<span>{said.runDeleted}</span>}>
          {(run) => (
            <a href={`/runs/${run().id}`} dir="auto" class="min-w-0 truncate text-accent-text hover:underline">
              {run().question}
            </a>
          )}
        </Show>
      </p>
    </li>
  );
}
