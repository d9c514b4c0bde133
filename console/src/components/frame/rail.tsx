import { Menu as ArkMenu } from '@ark-ui/solid/menu';
import { useLocation, useNavigate } from '@solidjs/router';
import Ellipsis from 'lucide-solid/icons/ellipsis';
import PanelLeftClose from 'lucide-solid/icons/panel-left-close';
import PanelLeftOpen from 'lucide-solid/icons/panel-left-open';
import { For, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { type Destination, isAt, onBar } from '../../state/navigation.ts';
import type { Rail as RailState } from '../../state/rail.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { Logo } from './logo.tsx';
import { menuItemClass } from './menu.tsx';

interface RailProps {
  readonly rail: RailState;
  readonly destinations: readonly Destination[];
  /** What is said on hover: the name, and the keys that lead there. */
  readonly hint: (destination: Destination) => string;
}

const itemClass =
  'flex h-14 w-full flex-col items-center justify-center gap-0.5 rounded-md text-xs font-medium text-muted hover:bg-sunken hover:text-text aria-[current=page]:text-accent-text sm:h-8 sm:flex-row sm:justify-start sm:gap-2.5 sm:px-2.5 sm:text-base sm:aria-[current=page]:bg-sunken sm:aria-[current=page]:text-text';

/** The left rail; folds to icons, and becomes a bar at the bottom of small screens. */
export function Rail(props: RailProps) {
  const location = useLocation();
  const bar = () => onBar(props.destinations);
  const isFirstForAdministrators = (destination: Destination) =>
    destination === props.destinations.find(({ role }) => role === 'ADMIN');
  return (
    <nav
      aria-label={words.frame.main}
      data-folded={props.rail.folded() ? '' : undefined}
      class="group/rail fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface sm:sticky sm:top-0 sm:flex sm:h-dvh sm:w-60 sm:shrink-0 sm:flex-col sm:border-t-0 sm:border-r sm:bg-canvas sm:data-folded:w-14"
    >
      <div class="hidden h-12 shrink-0 items-center gap-2 px-4 sm:flex sm:group-data-folded/rail:px-3.5">
        <Logo />
        <span class="truncate font-semibold group-data-folded/rail:sr-only">{words.frame.product}</span>
      </div>
      <ul class="flex justify-around sm:grow sm:flex-col sm:justify-start sm:gap-0.5 sm:overflow-y-auto sm:p-2">
        <For each={props.destinations}>
          {(destination) => (
            <li
              class="min-w-0 grow basis-0 sm:grow-0 sm:basis-auto"
              classList={{
                'max-sm:hidden': !bar().includes(destination),
                'sm:mt-2 sm:border-t sm:border-line sm:pt-2': isFirstForAdministrators(destination),
              }}
            >
              <a
                href={destination.href}
                aria-current={isAt(destination, location.pathname) ? 'page' : undefined}
                title={props.hint(destination)}
                class={itemClass}
              >
                <Dynamic component={destination.icon} class="size-4.5 shrink-0 sm:size-4" aria-hidden="true" />
                <span class="max-w-full truncate sm:group-data-folded/rail:sr-only">{destination.label}</span>
              </a>
            </li>
          )}
        </For>
        <Show when={bar().length < props.destinations.length}>
          <li class="min-w-0 grow basis-0 sm:hidden">
            <MoreMenu destinations={props.destinations.filter((one) => !bar().includes(one))} />
          </li>
        </Show>
      </ul>
      <div class="hidden p-2 sm:block">
        <IconButton
          label={props.rail.folded() ? words.frame.unfold : words.frame.fold}
          onClick={() => props.rail.toggle()}
        >
          <Show when={props.rail.folded()} fallback={<PanelLeftClose class="size-4" aria-hidden="true" />}>
            <PanelLeftOpen class="size-4" aria-hidden="true" />
          </Show>
        </IconButton>
      </div>
    </nav>
  );
}

/** What has no room on the bar of a small screen. */
function MoreMenu(props: { readonly destinations: readonly Destination[] }) {
  const location = useLocation();
  const navigate = useNavigate();
  const current = () => props.destinations.find((destination) => isAt(destination, location.pathname));
  return (
    <ArkMenu.Root positioning={{ placement: 'top-end' }} onSelect={({ value }) => navigate(value)}>
      <ArkMenu.Trigger class={itemClass} aria-current={current() ? 'page' : undefined}>
        <Dynamic component={current()?.icon ?? Ellipsis} class="size-4.5 shrink-0" aria-hidden="true" />
        <span class="max-w-full truncate">{current()?.label ?? words.frame.more}</span>
      </ArkMenu.Trigger>
      <ArkMenu.Positioner class="z-50!">
        <ArkMenu.Content
          aria-label={words.frame.more}
          class="min-w-44 rounded-lg border border-line bg-raised p-1 shadow-raised outline-none"
        >
          <For each={props.destinations}>
            {(destination) => (
              <ArkMenu.Item value={destination.href} class={`${menuItemClass} h-11!`}>
                <Dynamic component={destination.icon} class="size-4 text-muted" aria-hidden="true" />
                {destination.label}
              </ArkMenu.Item>
            )}
          </For>
        </ArkMenu.Content>
      </ArkMenu.Positioner>
    </ArkMenu.Root>
  );
}
