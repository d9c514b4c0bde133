import { UserDocument } from '@oracle-agent/sdk/documents';
import { A } from '@solidjs/router';
import { createEffect, createSignal, Show } from 'solid-js';
import { Button, buttonClass } from '../components/basics/button.tsx';
import { LoadView } from '../components/basics/load-view.tsx';
import { EmptyNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { UsageCharts } from '../components/usage/usage-charts.tsx';
import { UsageFilters } from '../components/usage/usage-filters.tsx';
import { useApp } from '../state/app-context.ts';
import { query } from '../state/graphql-client.ts';
import { createPlace } from '../state/place.ts';
import { createUsagePage } from '../state/usage/usage-page.ts';
import { words } from '../words.ts';

/** Everyone's runs for an administrator, or one person's; without `everyone` the reader's own. */
export function UsagePage(props: { readonly everyone?: boolean }) {
  createPlace(() => words.usage.title);
  const { session } = useApp();
  const everyone = props.everyone === true;
  const page = createUsagePage(session.client, everyone);
  const [name, setName] = createSignal<string>();
  createEffect(async () => {
    const id = page.userId();
    setName(undefined);
    if (!id) return;
    const answer = await query(session.client, UserDocument, { id });
    if (answer.type === 'data' && page.userId() === id) setName(answer.data.user?.name);
  });

  return (
    <>
      <PageHeader
        title={words.usage.title}
        description={everyone ? words.usage.descriptionEveryone : words.usage.descriptionOwn}
        actions={
          <A
            href={everyone ? `/admin/what-if${page.userId() ? `?user=${page.userId()}` : ''}` : '/what-if'}
            class={buttonClass('secondary')}
          >
            {words.whatIf.link}
          </A>
        }
      />
      <Show when={page.userId()}>
        <p class="mb-3 flex flex-wrap items-center gap-3">
          <A href={`/admin/users/${page.userId()}`} class="font-medium text-accent-text hover:underline">
            {words.usage.person(name() ?? words.usage.somebody)}
          </A>
          <Button size="small" onClick={() => page.choose({ user: undefined })}>
            {words.usage.showEveryone}
          </Button>
        </p>
      </Show>
      <UsageFilters page={page} />
      <LoadView state={page.state()} onRetry={() => void page.reload()}>
        {(data) => (
          <div aria-busy={page.fetching()} class={page.fetching() ? 'opacity-70' : ''}>
            <Show
              when={data().usage.total.runs > 0}
              fallback={
                <div class="rounded-lg border border-line bg-surface">
                  <EmptyNotice
                    title={words.usage.empty}
                    text={words.usage.emptyText}
                    action={
                      <A href="/" class={buttonClass('primary')}>
                        {words.usage.emptyAction}
                      </A>
                    }
                  />
                </div>
              }
            >
              <UsageCharts report={data().usage} bucket={page.range().bucket} asTables={page.asTables()} />
            </Show>
          </div>
        )}
      </LoadView>
    </>
  );
}
