import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import type { JSX } from 'solid-js';

export const menuItemClass =
  'flex h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 text-base data-highlighted:bg-sunken outline-none';

interface MenuProps {
  readonly label: string;
  readonly trigger: JSX.Element;
  readonly header?: JSX.Element;
  readonly children: JSX.Element;
  readonly onSelect?: (value: string) => void;
}

/** A button that opens a list of things to do or choose. */
export function Menu(props: MenuProps) {
  return (
    <ArkMenu.Root
      aria-label={props.label}
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => props.onSelect?.(value)}
    >
      <ArkMenu.Trigger
        aria-label={props.label}
        title={props.label}
        class="inline-flex h-8 min-w-8 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text"
      >
        {props.trigger}
      </ArkMenu.Trigger>
      {/* Beside the button rather than at the end of the page, so that it belongs to the same landmark. */}
      <ArkMenu.Positioner class="z-50!">
        <div class="max-w-72 min-w-44 rounded-lg border border-line bg-raised p-1 shadow-raised has-[[data-part=content][data-state=closed]]:hidden">
          {props.header}
          <ArkMenu.Content class="outline-none">{props.children}</ArkMenu.Content>
        </div>
      </ArkMenu.Positioner>
    </ArkMenu.Root>
  );
}
