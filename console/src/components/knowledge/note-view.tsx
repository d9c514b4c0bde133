import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import {
  DeleteNoteDocument,
  type KnowledgeNoteQuery,
  MoveNoteDocument,
  SaveNoteDocument,
} from '@oracle-agent/sdk/documents';
import { useNavigate } from '@solidjs/router';
import Ellipsis from 'lucide-solid/icons/ellipsis';
import FolderInput from 'lucide-solid/icons/folder-input';
import Pencil from 'lucide-solid/icons/pencil';
import Trash from 'lucide-solid/icons/trash';
import { createSignal, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { mutate, mutateLarge } from '../../state/graphql-client.ts';
import { noteAddress, sectionAddress } from '../../state/knowledge/addresses.ts';
import { frontMatterOf } from '../../state/knowledge/front-matter.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { TimeText } from '../basics/time-text.tsx';
import { LeaveDialog } from '../chat/leave-dialog.tsx';
import { MarkdownView } from '../chat/markdown-view.tsx';
import { NameDialog } from '../chat/name-dialog.tsx';
import { Menu, menuItemClass } from '../frame/menu.tsx';
import { NoteLinks } from './note-links.tsx';

export type OpenNote = NonNullable<KnowledgeNoteQuery['note']>;

interface NoteViewProps {
  readonly note: OpenNote;
  readonly project: string | undefined;
  readonly onEdit: () => void;
  readonly onChanged: () => void;
}

/** A note to read: nothing in it can run, load or leave; its links ask this page. */
export function NoteView(props: NoteViewProps) {
  const { session } = useApp();
  const navigate = useNavigate();
  const [leaving, setLeaving] = createSignal<string>();
  const [moving, setMoving] = createSignal(false);
  const content = () => frontMatterOf(props.note.body);
  const inProject = () => (props.project ? { projectId: props.project } : {});

  function openLink(target: string) {
    const plain = target.replace(/#.*$/, '').trim();
    const known = props.note.links.find((link) => link.target === plain || link.target === target);
    navigate(noteAddress(known?.note?.path ?? (/\.\w+$/.test(plain) ? plain : `${plain}.md`), props.project));
  }

  async function move(path: string, newPath: string): Promise<string | undefined> {
    const answer = await mutate(session.client, MoveNoteDocument, { input: { path, newPath, ...inProject() } });
    if (answer.type === 'failed') return answer.message;
    const result = answer.data.moveNote;
    if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
    if (result.__typename === 'NoteConflict') return result.message;
    toasts.show({
      text: words.notes.moved(result.note.path, result.linksRewritten),
      undo: () => move(result.note.path, path),
    });
    props.onChanged();
    navigate(noteAddress(result.note.path, props.project));
    return undefined;
  }

  async function remove() {
    const { path, body, title } = props.note;
    const answer = await mutate(session.client, DeleteNoteDocument, { path, ...inProject() });
    if (answer.type === 'failed') {
      toasts.show({ text: `${words.failed} ${answer.message}`, tone: 'failure' });
      return;
    }
    toasts.show({ text: words.notes.removed(title), undo: () => restore(path, body) });
    props.onChanged();
    navigate(sectionAddress('notes', props.project));
  }

  /** Only where nothing stands: what somebody wrote there meanwhile is kept. */
  async function restore(path: string, body: string): Promise<string | undefined> {
    const input = { path, body, expectedHash: '', ...inProject() };
    const answer = await mutateLarge(session.client, SaveNoteDocument, { input });
    if (answer.type === 'failed') return answer.message;
    if (answer.data.saveNote.__typename !== 'Note') return answer.data.saveNote.message;
    props.onChanged();
    navigate(noteAddress(path, props.project));
    return undefined;
  }

  return (
    <article aria-labelledby="note-title" class="rounded-lg border border-line bg-surface">
      <header class="flex flex-wrap items-start justify-between gap-3 border-b border-line px-4 py-3 sm:px-5">
        <div class="min-w-0">
          <h2 id="note-title" class="text-lg font-semibold wrap-anywhere" dir="auto">
            {props.note.title}
          </h2>
          <p class="text-sm wrap-anywhere text-muted">
            <bdi>{props.note.path}</bdi> · {words.notes.changed} <TimeText at={props.note.updatedAt} />
          </p>
        </div>
        <div class="flex items-center gap-1">
          <Button size="small" onClick={() => props.onEdit()}>
            <Pencil class="size-3.5" aria-hidden="true" /> {words.notes.edit}
          </Button>
          <Menu
            label={words.notes.actions}
            trigger={<Ellipsis class="size-4" aria-hidden="true" />}
            onSelect={(value) => (value === 'move' ? setMoving(true) : void remove())}
          >
            <ArkMenu.Item value="move" class={menuItemClass}>
              <FolderInput class="size-4 text-muted" aria-hidden="true" /> {words.notes.move}
            </ArkMenu.Item>
            <ArkMenu.Item value="delete" class={`${menuItemClass} text-failure`}>
              <Trash class="size-4" aria-hidden="true" /> {words.notes.remove}
            </ArkMenu.Item>
          </Menu>
        </div>
      </header>
      <div class="px-4 py-4 sm:px-5">
        <Show when={content().properties}>
          {(properties) => (
            <details class="mb-4 rounded-md bg-sunken px-3 py-2 text-sm">
              <summary class="cursor-pointer font-medium text-muted">{words.notes.frontMatter}</summary>
              <pre tabindex="0" class="mt-2 overflow-x-auto font-mono whitespace-pre-wrap wrap-anywhere">
                {properties()}
              </pre>
            </details>
          )}
        </Show>
        <MarkdownView text={content().text} growing={false} onLink={setLeaving} onNote={openLink} />
      </div>
      <NoteLinks note={props.note} project={props.project} />
      <LeaveDialog address={leaving()} onClose={() => setLeaving(undefined)} />
      <NameDialog
        open={moving()}
        title={words.notes.moveTitle}
        field={words.notes.path}
        action={words.notes.moveAction}
        value={props.note.path}
        onClose={() => setMoving(false)}
        onSave={(path) => move(props.note.path, path)}
      />
    </article>
  );
}
