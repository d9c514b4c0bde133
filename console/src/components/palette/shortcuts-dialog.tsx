import { Switch } from '@ark-ui/solid/switch';
import { For } from 'solid-js';
import type { Shortcut, ShortcutGroup } from '../../state/shortcuts.ts';
import { words } from '../../words.ts';
import { Dialog } from '../basics/dialog.tsx';

interface ShortcutsDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly shortcuts: readonly Shortcut[];
  readonly enabled: boolean;
  readonly onEnable: (enabled: boolean) => void;
}

const groups: readonly ShortcutGroup[] = ['go', 'do', 'always'];

/** Every key there is, from the same list that the keys themselves are read by. */
export function ShortcutsDialog(props: ShortcutsDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={words.shortcuts.title} wide>
      <Switch.Root
        checked={props.enabled}
        onCheckedChange={({ checked }) => props.onEnable(checked)}
        class="mb-4 flex cursor-pointer items-center gap-3 rounded-md bg-sunken px-3 py-2"
      >
        <Switch.Control class="inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-control p-0.5 transition-colors data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-2 data-[focus-visible]:outline-accent-text data-[state=checked]:bg-accent">
          <Switch.Thumb class="size-4 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-4" />
        </Switch.Control>
        <Switch.HiddenInput role="switch" aria-label={words.shortcuts.enable} />
        <span aria-hidden="true">
          <span class="font-medium">{words.shortcuts.enable}</span>
          <span class="block text-sm text-muted">{words.shortcuts.enableHint}</span>
        </span>
      </Switch.Root>
      <div tabindex="0" class="grid max-h-[55vh] gap-x-8 gap-y-4 overflow-y-auto sm:grid-cols-2">
        <For each={groups}>
          {(group) => (
            <section
              aria-labelledby={`shortcuts-${group}`}
              classList={{ 'opacity-60': !props.enabled && group !== 'always' }}
            >
              <h3 id={`shortcuts-${group}`} class="mb-1 text-sm font-semibold text-muted">
                {words.shortcuts.groups[group]}
              </h3>
              <dl>
                <For each={props.shortcuts.filter((shortcut) => shortcut.group === group)}>
                  {(shortcut) => (
                    <div class="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-0">
                      <dt>{shortcut.label}</dt>
                      <dd class="flex shrink-0 gap-1">
                        <For each={shortcut.keys}>
                          {(key) => (
                            <kbd class="rounded border border-line bg-sunken px-1.5 font-mono text-sm">{key}</kbd>
                          )}
                        </For>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
    </Dialog>
  );
}
