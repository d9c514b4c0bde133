import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import Braces from 'lucide-solid/icons/braces';
import Ellipsis from 'lucide-solid/icons/ellipsis';
import FileText from 'lucide-solid/icons/file-text';
import GitFork from 'lucide-solid/icons/git-fork';
import PanelLeft from 'lucide-solid/icons/panel-left';
import Pencil from 'lucide-solid/icons/pencil';
import Trash from 'lucide-solid/icons/trash';
import { createSignal, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import type { ExportFormat } from '../../state/chat/export.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { Menu, menuItemClass } from '../frame/menu.tsx';
import { NameDialog } from './name-dialog.tsx';

interface ConversationBarProps {
  readonly listOpen: boolean;
  readonly onList: () => void;
  readonly treeOpen: boolean;
  readonly onTree: () => void;
  readonly onExport: (format: ExportFormat) => void;
}

/** The title of the open conversation and what can be done with it. */
export function ConversationBar(props: ConversationBarProps) {
  const chat = useChat();
  const { conversation } = chat;
  const [renaming, setRenaming] = createSignal(false);
  const [removing, setRemoving] = createSignal(false);
  const [problem, setProblem] = createSignal<string>();
  const id = () => conversation.id() ?? '';

  function choose(value: string) {
    if (value === 'rename') setRenaming(true);
    else if (value === 'delete') setRemoving(true);
    else if (value === 'md' || value === 'json') props.onExport(value);
  }

  async function remove() {
    const failed = await chat.actions.remove(id());
    setProblem(failed);
    if (failed !== undefined) return;
    setRemoving(false);
    chat.place.go(undefined);
  }

  return (
    <div class="flex h-11 shrink-0 items-center gap-1 border-b border-line px-2 sm:px-3">
      <IconButton
        class="lg:hidden"
        label={props.listOpen ? words.list.close : words.list.open}
        aria-expanded={props.listOpen}
        onClick={() => props.onList()}
      >
        <PanelLeft class="size-4" aria-hidden="true" />
      </IconButton>
      <h1 class="min-w-0 grow truncate px-1 font-semibold sm:px-3" dir="auto">
        {conversation.state().type === 'ready' ? conversation.title() || words.list.untitled : words.ask.newTitle}
      </h1>
      <Show when={conversation.state().type === 'ready'}>
        <IconButton
          label={props.treeOpen ? words.conversation.hideTree : words.conversation.showTree}
          aria-expanded={props.treeOpen}
          class="aria-expanded:bg-sunken aria-expanded:text-text"
          onClick={() => props.onTree()}
        >
          <GitFork class="size-4" aria-hidden="true" />
        </IconButton>
        <Menu
          label={words.conversation.actions}
          trigger={<Ellipsis class="size-4" aria-hidden="true" />}
          onSelect={choose}
        >
          <ArkMenu.Item value="rename" class={menuItemClass}>
            <Pencil class="size-4 text-muted" aria-hidden="true" /> {words.list.rename}
          </ArkMenu.Item>
          <ArkMenu.Item value="md" class={menuItemClass}>
            <FileText class="size-4 text-muted" aria-hidden="true" /> {words.conversation.exportMarkdown}
          </ArkMenu.Item>
          <ArkMenu.Item value="json" class={menuItemClass}>
            <Braces class="size-4 text-muted" aria-hidden="true" /> {words.conversation.exportJson}
          </ArkMenu.Item>
          <ArkMenu.Item value="delete" class={`${menuItemClass} text-failure`}>
            <Trash class="size-4" aria-hidden="true" /> {words.list.remove}
          </ArkMenu.Item>
        </Menu>
      </Show>
      <NameDialog
        open={renaming()}
        title={words.rename.title}
        field={words.rename.field}
        action={words.rename.save}
        value={conversation.title()}
        onClose={() => setRenaming(false)}
        onSave={(title) => chat.actions.rename(id(), title)}
      />
      <Dialog
        open={removing()}
        onClose={() => setRemoving(false)}
        title={words.remove.title}
        description={words.remove.text(conversation.title())}
        role="alertdialog"
      >
        <p role="alert" class="mb-3 text-failure empty:hidden">
          {problem()}
        </p>
        <div class="flex justify-end gap-2">
          <Button variant="ghost" onClick={() => setRemoving(false)}>
            {words.remove.cancel}
          </Button>
          <Button variant="danger" onClick={() => void remove()}>
            {words.remove.confirm}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
