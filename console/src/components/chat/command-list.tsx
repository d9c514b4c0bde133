import { For } from 'solid-js';
import type { Command } from '../../state/chat/commands.ts';
import { words } from '../../words.ts';

interface CommandListProps {
  readonly commands: readonly Command[];
  readonly chosen: number;
  readonly onChoose: (command: Command) => void;
}

/** What may be meant, above the field it belongs to; the field keeps the focus and names the chosen one. */
export function CommandList(props: CommandListProps) {
  return (
    <div
      id="composer-commands"
      role="listbox"
      aria-label={words.commands.label}
      class="absolute bottom-full left-0 z-20 mb-1 w-full max-w-lg rounded-lg border border-line bg-raised p-1 shadow-raised"
    >
      <For each={props.commands}>
        {(command, index) => (
          // The keys are handled by the field.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
          <div
            id={`composer-command-${index()}`}
            role="option"
            aria-selected={index() === props.chosen}
            class="flex cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5 aria-selected:bg-sunken"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => props.onChoose(command)}
          >
            <span class="w-24 shrink-0 font-mono text-sm font-medium">/{command.name}</span>
            <span class="min-w-0 text-sm text-muted">{command.help}</span>
          </div>
        )}
      </For>
    </div>
  );
}
