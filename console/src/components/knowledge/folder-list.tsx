import { CodeFolderDocument, NoteFolderDocument } from '@oracle-agent/sdk/documents';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import FileCode from 'lucide-solid/icons/file-code';
import FileText from 'lucide-solid/icons/file-text';
import Folder from 'lucide-solid/icons/folder';
import { For, type JSX, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { query } from '../../state/graphql-client.ts';
import { codeAddress, foldersTo, noteAddress, sectionAddress } from '../../state/knowledge/addresses.ts';
import { createPages } from '../../state/pages.ts';
import { words } from '../../words.ts';
import { LoadView } from '../basics/load-view.tsx';
import { MoreButton } from '../basics/more-button.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';

interface FolderListProps {
  readonly kind: 'notes' | 'code';
  readonly project: string | undefined;
  readonly folder: string;
  readonly openPath: string | undefined;
  /** Changes when what is in the folders may have. */
  readonly version: number;
  /** What to say when there is nothing at all. */
  readonly empty: JSX.Element;
}

/** One folder at a time: the way to it, the folders in it, the files in it. */
export function FolderList(props: FolderListProps) {
  const { session } = useApp();
  const pages = createPages(
    () => ({ kind: props.kind, path: props.folder, project: props.project, version: props.version }),
    async ({ kind, path, project }, page) => {
      const variables = { path, ...page, ...(project ? { projectId: project } : {}) };
      if (kind === 'notes') {
        const answer = await query(session.client, NoteFolderDocument, variables);
        return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.noteFolder };
      }
      const answer = await query(session.client, CodeFolderDocument, variables);
      return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.codeFolder };
    },
  );
  const folderHref = (path: string) => sectionAddress(props.kind, props.project, { folder: path || undefined });
  const fileHref = (path: string) =>
    props.kind === 'notes' ? noteAddress(path, props.project) : codeAddress(path, null, props.project);

  return (
    <>
      <Show when={props.folder !== ''}>
        <nav aria-label={words.knowledge.folders} class="border-b border-line px-3 py-2 text-sm">
          <ol class="flex flex-wrap items-center gap-1">
            <li>
              <a href={folderHref('')} noScroll class="rounded text-muted hover:text-text hover:underline">
                {words.knowledge.outermost}
              </a>
            </li>
            <For each={foldersTo(props.folder)}>
              {(folder) => (
                <li class="flex min-w-0 items-center gap-1">
                  <ChevronRight class="size-3 shrink-0 text-faint" aria-hidden="true" />
                  <a
                    href={folderHref(folder.path)}
                    noScroll
                    class="truncate rounded text-muted hover:text-text hover:underline"
                  >
                    {folder.name}
                  </a>
                </li>
              )}
            </For>
          </ol>
        </nav>
      </Show>
      <LoadView state={pages.state()} onRetry={() => void pages.reload()} loading={<SkeletonRows />}>
        {(loaded) => (
          <Show when={loaded().list.length > 0} fallback={props.empty}>
            <ul class="p-2">
              <For each={loaded().list}>
                {(entry) => (
                  <li>
                    <a
                      href={entry.isFolder ? folderHref(entry.path) : fileHref(entry.path)}
                      noScroll={entry.isFolder}
                      aria-current={!entry.isFolder && entry.path === props.openPath ? 'page' : undefined}
                      title={entry.path}
                      class="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken aria-[current=page]:bg-sunken aria-[current=page]:font-medium"
                    >
                      <EntryIcon kind={props.kind} isFolder={entry.isFolder} />
                      <span class="min-w-0 grow truncate" dir="auto">
                        {entry.isFolder ? entry.name : (entry.title ?? entry.name)}
                      </span>
                      <Show when={entry.isFolder}>
                        <span class="shrink-0 text-xs text-muted">{words.knowledge.files(entry.files)}</span>
                      </Show>
                    </a>
                  </li>
                )}
              </For>
            </ul>
            <MoreButton pages={pages} />
          </Show>
        )}
      </LoadView>
    </>
  );
}

function EntryIcon(props: { readonly kind: 'notes' | 'code'; readonly isFolder: boolean }) {
  return (
    <Show
      when={props.isFolder}
      fallback={
        props.kind === 'notes' ? (
          <FileText class="size-4 shrink-0 text-faint" aria-hidden="true" />
        ) : (
          <FileCode class="size-4 shrink-0 text-faint" aria-hidden="true" />
        )
      }
    >
      <Folder class="size-4 shrink-0 text-accent-text" aria-hidden="true" />
    </Show>
  );
}
