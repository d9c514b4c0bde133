import { Dialog } from '@ark-ui/solid/dialog';
import { useLocation, useNavigate } from '@solidjs/router';
import LoaderCircle from 'lucide-solid/icons/loader-circle';
import Search from 'lucide-solid/icons/search';
import { For, Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import { useApp, useViewer } from '../../state/app-context.ts';
import { type PaletteActions, type PaletteItem, paletteCommands } from '../../state/palette/commands.ts';
import { createPalette, type Palette } from '../../state/palette/palette.ts';
import { words } from '../../words.ts';
import { PaletteOption } from './palette-option.tsx';

interface PaletteDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly actions: PaletteActions;
}

/** Everything by name, from anywhere: pages, actions, conversations, notes, runs and, for administrators, people. */
export function PaletteDialog(props: PaletteDialogProps) {
  return (
    <Dialog.Root
      open={props.open}
      onOpenChange={({ open }) => !open && props.onClose()}
      aria-label={words.palette.title}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Dialog.Backdrop class="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Positioner class="fixed inset-0 z-50 flex items-start justify-center p-3 sm:pt-[12vh]">
          <Dialog.Content class="flex max-h-[min(34rem,80dvh)] w-full max-w-xl flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-raised outline-none">
            <PaletteContent onClose={props.onClose} actions={props.actions} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

function PaletteContent(props: Pick<PaletteDialogProps, 'onClose' | 'actions'>) {
  const { session } = useApp();
  const viewer = useViewer();
  const navigate = useNavigate();
  const location = useLocation();
  const commands = () => paletteCommands(viewer(), location.pathname, props.actions);
  const palette = createPalette(session.client, viewer(), commands, choose);

  function choose(item: PaletteItem) {
    props.onClose();
    if (item.href !== undefined) navigate(item.href);
    else void item.run?.();
  }

  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => palette.move(1),
    ArrowUp: () => palette.move(-1),
    PageDown: () => palette.mark(Math.min(palette.marked() + 5, palette.items().length - 1)),
    PageUp: () => palette.mark(Math.max(palette.marked() - 5, 0)),
    Enter: () => palette.chooseMarked(),
  };

  function keydown(event: KeyboardEvent) {
    const move = event.isComposing ? undefined : moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  return (
    <>
      <div class="flex items-center gap-2.5 border-b border-line px-4">
        <Search class="size-4 shrink-0 text-faint" aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={words.palette.field}
          aria-expanded={palette.items().length > 0}
          aria-controls="palette-results"
          aria-autocomplete="list"
          aria-activedescendant={palette.items().length > 0 ? optionId(palette.marked()) : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          autofocus
          placeholder={words.palette.field}
          class="h-12 w-full min-w-0 grow bg-transparent text-lg outline-none placeholder:text-faint"
          value={palette.typed()}
          onInput={(event) => palette.type(event.currentTarget.value)}
          onKeyDown={keydown}
        />
        <Show when={palette.searching()}>
          <LoaderCircle class="size-4 shrink-0 animate-spin text-muted" aria-hidden="true" />
        </Show>
      </div>
      <p role="status" class="sr-only">
        {palette.searching() ? words.palette.searching : words.palette.count(palette.items().length)}
      </p>
      <Show
        when={palette.items().length > 0}
        fallback={
          <p class="min-h-24 px-4 py-8 text-center text-muted wrap-anywhere">
            {palette.searching() ? words.palette.searching : words.palette.none(palette.typed())}
          </p>
        }
      >
        <PaletteResults palette={palette} />
      </Show>
      <p role="alert" class="border-t border-line px-4 py-2 text-sm text-failure empty:hidden">
        {palette.failed()}
      </p>
      <p class="hidden gap-4 border-t border-line px-4 py-2 text-xs text-muted sm:flex" aria-hidden="true">
        <For
          each={[
            ['↑ ↓', words.palette.move],
            ['↵', words.palette.choose],
            ['Esc', words.palette.close],
          ]}
        >
          {([key, meaning]) => (
            <span>
              <kbd class="rounded border border-line bg-sunken px-1 font-mono">{key}</kbd> {meaning}
            </span>
          )}
        </For>
      </p>
    </>
  );
}

const optionId = (index: number) => `palette-option-${index}`;

function PaletteResults(props: { readonly palette: Palette }) {
  /** Where a section's items begin in the whole list. */
  const offset = (section: number) =>
    props.palette
      .sections()
      .slice(0, section)
      .reduce((sum, { items }) => sum + items.length, 0);
  return (
    <div
      id="palette-results"
      role="listbox"
      aria-label={words.palette.results}
      class="min-h-0 grow scroll-py-8 overflow-y-auto p-2"
    >
      <For each={props.palette.sections()}>
        {(section, number) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
          <div role="group" aria-labelledby={`palette-group-${section.group}`}>
            <p id={`palette-group-${section.group}`} class="px-2 pt-2 pb-1 text-xs font-medium text-muted">
              {words.palette.groups[section.group]}
            </p>
            <For each={section.items}>
              {(item, index) => (
                <PaletteOption
                  id={optionId(offset(number()) + index())}
                  item={item}
                  marked={props.palette.marked() === offset(number()) + index()}
                  onMark={() => props.palette.mark(offset(number()) + index())}
                  onChoose={() => props.palette.choose(item)}
                />
              )}
            </For>
          </div>
        )}
      </For>
    </div>
  );
}
