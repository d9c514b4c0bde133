import History from 'lucide-solid/icons/clock';
import CornerDownRight from 'lucide-solid/icons/corner-down-right';
import FileText from 'lucide-solid/icons/file-text';
import MessageCircle from 'lucide-solid/icons/message-circle';
import Play from 'lucide-solid/icons/play';
import UserRound from 'lucide-solid/icons/user-round';
import Zap from 'lucide-solid/icons/zap';
import { createEffect, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type { PaletteGroup, PaletteItem } from '../../state/palette/commands.ts';

const icons: Record<PaletteGroup, typeof History> = {
  recent: History,
  actions: Zap,
  pages: CornerDownRight,
  conversations: MessageCircle,
  notes: FileText,
  runs: Play,
  people: UserRound,
};

interface PaletteOptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly marked: boolean;
  readonly onMark: () => void;
  readonly onChoose: () => void;
}

export function PaletteOption(props: PaletteOptionProps) {
  let option: HTMLDivElement | undefined;
  createEffect(() => {
    if (props.marked) option?.scrollIntoView({ block: 'nearest' });
  });
  return (
    // The focus stays in the field, whose keys move the mark; pointers press the option itself.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={option}
      id={props.id}
      role="option"
      aria-selected={props.marked}
      class="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 aria-selected:bg-sunken"
      onPointerMove={(event) => {
        // A list that changes under a pointer at rest is told as a move, too.
        const moved = event.movementX !== 0 || event.movementY !== 0;
        if (moved && !props.marked) props.onMark();
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <Dynamic component={icons[props.item.group]} class="size-4 shrink-0 text-muted" aria-hidden="true" />
      <span class="min-w-0 grow truncate" dir="auto">
        {props.item.label}
      </span>
      <Show when={props.item.detail}>
        {(detail) => (
          <span class="max-w-2/5 shrink-0 truncate text-sm text-muted" dir="auto">
            {detail()}
          </span>
        )}
      </Show>
      <Show when={props.item.shortcut}>
        {(shortcut) => (
          <kbd class="shrink-0 rounded border border-line px-1 font-mono text-xs text-muted">{shortcut()}</kbd>
        )}
      </Show>
    </div>
  );
}
