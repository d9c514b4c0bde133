import { KnowledgeNoteDocument, SearchNotesDocument } from '@oracle-agent/sdk/documents';
import { useNavigate, useSearchParams } from '@solidjs/router';
import FilePlus from 'lucide-solid/icons/file-plus';
import { createSignal, Match, Show, Switch } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { folderOf, noteAddress, sectionAddress } from '../../state/knowledge/addresses.ts';
import { createLoad } from '../../state/load.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { NameDialog } from '../chat/name-dialog.tsx';
import { FolderList } from './folder-list.tsx';
import { HighlightedText } from './highlighted-text.tsx';
import { HitList } from './hit-list.tsx';
import { NoteEditorView } from './note-editor-view.tsx';
import { NoteView } from './note-view.tsx';
import { SearchBox } from './search-box.tsx';
import { NothingChosen, SplitView } from './split-view.tsx';

interface SectionProps {
  readonly project: string | undefined;
  /** The file that is open. */
  readonly path: string | undefined;
}

export function NotesSection(props: SectionProps) {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams<{ q: string; folder: string; edit: string; new: string }>();
  const [version, setVersion] = createSignal(0);
  const changed = () => setVersion((now) => now + 1);
  const folder = () => search.folder ?? folderOf(props.path ?? '');

  const createButton = () => (
    <Button variant="primary" onClick={() => setSearch({ new: '1' })}>
      <FilePlus class="size-4" aria-hidden="true" /> {words.notes.create}
    </Button>
  );

  return (
    <>
      <SplitView
        label={words.notes.list}
        open={props.path !== undefined}
        backTo={sectionAddress('notes', props.project, { folder: folder() || undefined, q: search.q })}
        list={
          <>
            <div class="flex flex-col gap-2 border-b border-line p-3">
              {createButton()}
              <SearchBox
                label={words.notes.search}
                value={search.q ?? ''}
                onSearch={(q) => setSearch({ q: q || undefined }, { replace: true })}
              />
            </div>
            <Show
              when={search.q}
              fallback={
                <FolderList
                  kind="notes"
                  project={props.project}
                  folder={folder()}
                  openPath={props.path}
                  version={version()}
                  empty={<EmptyNotice title={words.notes.empty} text={words.notes.emptyText} />}
                />
              }
            >
              {(q) => <NoteHits query={q()} project={props.project} onClear={() => setSearch({ q: undefined })} />}
            </Show>
          </>
        }
      >
        <Show when={props.path} keyed fallback={<NothingChosen />}>
          {(path) => (
            <OpenedNote
              path={path}
              project={props.project}
              editing={search.edit === '1'}
              onEdit={(editing) => setSearch({ edit: editing ? '1' : undefined })}
              onChanged={changed}
            />
          )}
        </Show>
      </SplitView>
      <NameDialog
        open={search.new === '1'}
        title={words.notes.createTitle}
        field={words.notes.path}
        action={words.knowledge.create}
        value={folder() === '' ? '' : `${folder()}/`}
        onClose={() => setSearch({ new: undefined })}
        onSave={async (given) => {
          const path = given.trim();
          if (path === '' || path.endsWith('/')) return words.notes.pathHint;
          const address = noteAddress(/\.\w+$/.test(path) ? path : `${path}.md`, props.project);
          // The dialog closes by taking its own mark out of the address, so the new one comes after that.
          queueMicrotask(() => navigate(`${address}${address.includes('?') ? '&' : '?'}edit=1`));
          return undefined;
        }}
      />
    </>
  );
}

interface OpenedNoteProps {
  readonly path: string;
  readonly project: string | undefined;
  readonly editing: boolean;
  readonly onEdit: (editing: boolean) => void;
  readonly onChanged: () => void;
}

function OpenedNote(props: OpenedNoteProps) {
  const { session } = useApp();
  const load = createLoad(session.client, KnowledgeNoteDocument, () => ({
    path: props.path,
    ...(props.project ? { projectId: props.project } : {}),
  }));
  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(loaded) => (
        <Switch>
          <Match when={props.editing}>
            <NoteEditorView
              path={loaded().note?.path ?? props.path}
              project={props.project}
              note={loaded().note}
              onSaved={props.onChanged}
              onDone={() => void load.reload().then(() => props.onEdit(false))}
            />
          </Match>
          <Match when={loaded().note}>
            {(note) => (
              <NoteView
                note={note()}
                project={props.project}
                onEdit={() => props.onEdit(true)}
                onChanged={props.onChanged}
              />
            )}
          </Match>
          <Match when={true}>
            <div class="rounded-lg border border-line bg-surface">
              <EmptyNotice
                title={words.notes.missing}
                text={words.notes.missingText(props.path)}
                action={<Button onClick={() => props.onEdit(true)}>{words.notes.write}</Button>}
              />
            </div>
          </Match>
        </Switch>
      )}
    </LoadView>
  );
}

interface NoteHitsProps {
  readonly query: string;
  readonly project: string | undefined;
  readonly onClear: () => void;
}

function NoteHits(props: NoteHitsProps) {
  const { session } = useApp();
  const load = createLoad(session.client, SearchNotesDocument, () => ({
    query: props.query,
    first: 50,
    ...(props.project ? { projectId: props.project } : {}),
  }));
  return (
    <HitList
      query={props.query}
      load={load}
      hits={({ searchNotes }) => searchNotes}
      href={(hit) =>
        `${noteAddress(hit.path, props.project)}${props.project ? '&' : '?'}q=${encodeURIComponent(props.query)}`
      }
      onClear={props.onClear}
    >
      {(hit) => (
        <>
          <span class="font-medium wrap-anywhere" dir="auto">
            {hit.title}
          </span>
          <span class="truncate text-xs text-muted">
            {hit.path} · {words.notes.line(hit.line)}
          </span>
          <HighlightedText text={hit.snippet} highlights={hit.highlights} />
        </>
      )}
    </HitList>
  );
}
