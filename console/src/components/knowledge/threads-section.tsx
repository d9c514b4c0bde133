import { AppendToThreadDocument, SeekThreadsDocument, ThreadsDocument } from '@oracle-agent/sdk/documents';
import { useNavigate, useSearchParams } from '@solidjs/router';
import MessagesSquare from 'lucide-solid/icons/messages-square';
import Plus from 'lucide-solid/icons/plus';
import { createSignal, For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { mutate, query } from '../../state/graphql-client.ts';
import { sectionAddress, threadAddress } from '../../state/knowledge/addresses.ts';
import { createLoad } from '../../state/load.ts';
import { createPages } from '../../state/pages.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { MoreButton } from '../basics/more-button.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { HighlightedText } from './highlighted-text.tsx';
import { HitList } from './hit-list.tsx';
import { SearchBox } from './search-box.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import { NothingChosen, SplitView } from './split-view.tsx';
import { ThreadView } from './thread-view.tsx';

interface ThreadsSectionProps {
  readonly project: string | undefined;
  readonly threadId: string | undefined;
}

export function ThreadsSection(props: ThreadsSectionProps) {
  const { session } = useApp();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams<{ q: string; archived: string }>();
  const [creating, setCreating] = createSignal(false);
  const [version, setVersion] = createSignal(0);
  const inProject = () => (props.project ? { projectId: props.project } : {});
  const pages = createPages(
    () => ({ archived: search.archived === '1', version: version(), ...inProject() }),
    async ({ version: _version, ...wanted }, page) => {
      const answer = await query(session.client, ThreadsDocument, { ...wanted, ...page });
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.threads };
    },
  );
  const createButton = () => (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus class="size-4" aria-hidden="true" /> {words.threads.create}
    </Button>
  );

  return (
    <>
      <SplitView
        label={words.threads.list}
        open={props.threadId !== undefined}
        backTo={sectionAddress('threads', props.project, { q: search.q, archived: search.archived })}
        list={
          <>
            <div class="flex flex-col gap-2 border-b border-line p-3">
              {createButton()}
              <SearchBox
                label={words.threads.search}
                value={search.q ?? ''}
                onSearch={(q) => setSearch({ q: q || undefined }, { replace: true })}
              />
              <label class="flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  checked={search.archived === '1'}
                  onChange={(event) => setSearch({ archived: event.currentTarget.checked ? '1' : undefined })}
                />
                {words.threads.archivedToo}
              </label>
            </div>
            <Show
              when={search.q}
              fallback={
                <LoadView state={pages.state()} onRetry={() => void pages.reload()} loading={<SkeletonRows />}>
                  {(loaded) => (
                    <Show
                      when={loaded().list.length > 0}
                      fallback={<EmptyNotice title={words.threads.empty} text={words.threads.emptyText} />}
                    >
                      <ul class="p-2">
                        <For each={loaded().list}>
                          {(thread) => (
                            <li>
                              <a
                                href={threadAddress(thread.id, props.project)}
                                aria-current={thread.id === props.threadId ? 'page' : undefined}
                                class="flex flex-col rounded-md px-2 py-1.5 hover:bg-sunken aria-[current=page]:bg-sunken"
                              >
                                <span class="flex items-center gap-2">
                                  <MessagesSquare class="size-4 shrink-0 text-faint" aria-hidden="true" />
                                  <span class="min-w-0 grow truncate" dir="auto">
                                    {thread.title}
                                  </span>
                                  <Show when={thread.archived}>
                                    <StatusPill text={words.threads.archived} tone="neutral" />
                                  </Show>
                                </span>
                                <span class="pl-6 text-xs text-muted">
                                  {words.threads.entries(thread.entryCount)} · <TimeText at={thread.updatedAt} />
                                </span>
                              </a>
                            </li>
                          )}
                        </For>
                      </ul>
                      <MoreButton pages={pages} />
                    </Show>
                  )}
                </LoadView>
              }
            >
              {(q) => <ThreadHits query={q()} project={props.project} onClear={() => setSearch({ q: undefined })} />}
            </Show>
          </>
        }
      >
        <Show when={props.threadId} keyed fallback={<NothingChosen />}>
          {(id) => <ThreadView id={id} project={props.project} onChanged={() => setVersion((now) => now + 1)} />}
        </Show>
      </SplitView>
      <EntryDialog
        open={creating()}
        onClose={() => setCreating(false)}
        onSave={async (entry) => {
          const answer = await mutate(session.client, AppendToThreadDocument, { input: { ...entry, ...inProject() } });
          if (answer.type === 'failed') return answer.message;
          const result = answer.data.appendToThread;
          if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
          setVersion((now) => now + 1);
          navigate(threadAddress(result.threadId, props.project));
          return undefined;
        }}
      />
    </>
  );
}

interface ThreadHitsProps {
  readonly query: string;
  readonly project: string | undefined;
  readonly onClear: () => void;
}

function ThreadHits(props: ThreadHitsProps) {
  const { session } = useApp();
  const load = createLoad(session.client, SeekThreadsDocument, () => ({
    query: props.query,
    first: 50,
    ...(props.project ? { projectId: props.project } : {}),
  }));
  return (
    <HitList
      query={props.query}
      load={load}
      hits={({ seekThreads }) => seekThreads}
      href={(hit) =>
        `${threadAddress(hit.thread.id, props.project, hit.entry.number)}&q=${encodeURIComponent(props.query)}`
      }
      onClear={props.onClear}
    >
      {(hit) => (
        <>
          <span class="font-medium wrap-anywhere" dir="auto">
            {hit.thread.title}
          </span>
          <span class="text-xs text-muted">
            {words.threads.kinds[hit.entry.kind]} {words.threads.number(hit.entry.number)}
          </span>
          <HighlightedText text={hit.snippet} highlights={hit.highlights} />
        </>
      )}
    </HitList>
  );
}
