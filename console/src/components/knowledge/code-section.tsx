import { CodeFileDocument, SearchCodeDocument } from '@oracle-agent/sdk/documents';
import { A, useSearchParams } from '@solidjs/router';
import { createSignal, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { codeAddress, folderOf, sectionAddress } from '../../state/knowledge/addresses.ts';
import { createLoad } from '../../state/load.ts';
import { words } from '../../words.ts';
import { buttonClass } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { CodeNames } from './code-names.tsx';
import { CodeView } from './code-view.tsx';
import { FolderList } from './folder-list.tsx';
import { HitList } from './hit-list.tsx';
import { SearchBox } from './search-box.tsx';
import { NothingChosen, SplitView } from './split-view.tsx';

interface CodeSectionProps {
  readonly project: string | undefined;
  readonly path: string | undefined;
}

export function CodeSection(props: CodeSectionProps) {
  const [search, setSearch] = useSearchParams<{ q: string; folder: string; line: string; name: string }>();
  const [version, setVersion] = createSignal(0);
  const folder = () => search.folder ?? folderOf(props.path ?? '');
  const findName = (name: string) => setSearch({ name: name || undefined });

  return (
    <SplitView
      label={words.code.list}
      open={props.path !== undefined || search.name !== undefined}
      backTo={sectionAddress('code', props.project, { folder: folder() || undefined, q: search.q })}
      list={
        <>
          <div class="border-b border-line p-3">
            <SearchBox
              label={words.code.search}
              value={search.q ?? ''}
              onSearch={(q) => setSearch({ q: q || undefined }, { replace: true })}
            />
          </div>
          <Show
            when={search.q}
            fallback={
              <FolderList
                kind="code"
                project={props.project}
                folder={folder()}
                openPath={props.path}
                version={version()}
                empty={
                  <EmptyNotice
                    title={words.code.empty}
                    text={words.code.emptyText}
                    action={
                      <A href={sectionAddress('import', props.project)} class={buttonClass('primary')}>
                        {words.code.import}
                      </A>
                    }
                  />
                }
              />
            }
          >
            {(q) => <CodeHits query={q()} project={props.project} onClear={() => setSearch({ q: undefined })} />}
          </Show>
        </>
      }
    >
      <CodeNames name={search.name} project={props.project} onFind={findName} />
      <Show
        when={props.path}
        keyed
        fallback={
          <Show when={search.name === undefined}>
            <NothingChosen />
          </Show>
        }
      >
        {(path) => (
          <OpenedFile
            path={path}
            project={props.project}
            line={Number(search.line) || undefined}
            onName={findName}
            onChanged={() => setVersion((now) => now + 1)}
          />
        )}
      </Show>
    </SplitView>
  );
}

interface OpenedFileProps {
  readonly path: string;
  readonly project: string | undefined;
  readonly line: number | undefined;
  readonly onName: (name: string) => void;
  readonly onChanged: () => void;
}

function OpenedFile(props: OpenedFileProps) {
  const { session } = useApp();
  const load = createLoad(session.client, CodeFileDocument, () => ({
    path: props.path,
    ...(props.project ? { projectId: props.project } : {}),
  }));
  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(loaded) => (
        <Show
          when={loaded().codeFile}
          fallback={
            <div class="rounded-lg border border-line bg-surface">
              <EmptyNotice title={words.code.missing} text={words.code.missingText(props.path)} />
            </div>
          }
        >
          {(file) => (
            <CodeView
              file={file()}
              line={props.line}
              project={props.project}
              onName={props.onName}
              onChanged={props.onChanged}
            />
          )}
        </Show>
      )}
    </LoadView>
  );
}

interface CodeHitsProps {
  readonly query: string;
  readonly project: string | undefined;
  readonly onClear: () => void;
}

function CodeHits(props: CodeHitsProps) {
  const { session } = useApp();
  const load = createLoad(session.client, SearchCodeDocument, () => ({
    query: props.query,
    limit: 50,
    ...(props.project ? { projectId: props.project } : {}),
  }));
  const href = (path: string, line: number) =>
    `${codeAddress(path, line, props.project)}&q=${encodeURIComponent(props.query)}`;
  return (
    <HitList
      query={props.query}
      load={load}
      hits={({ searchCode }) => searchCode}
      href={(hit) => href(hit.path, hit.line)}
      onClear={props.onClear}
    >
      {(hit) => (
        <>
          <span class="truncate font-medium">
            <bdi>{hit.path}</bdi>
          </span>
          <span class="text-xs text-muted">{words.code.line(hit.line)}</span>
          <code class="line-clamp-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere text-muted" dir="ltr">
            {hit.snippet}
          </code>
        </>
      )}
    </HitList>
  );
}
