import { useLocation } from '@solidjs/router';
import PanelLeftClose from 'lucide-solid/icons/panel-left-close';
import PanelLeftOpen from 'lucide-solid/icons/panel-left-open';
import { For, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { type Destination, isAt } from '../../state/navigation.ts';
import { createRail } from '../../state/rail.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { Logo } from './logo.tsx';

/** The left rail; folds to icons, and becomes a bar at the bottom of small screens. */
export function Rail(props: { readonly destinations: readonly Destination[] }) {
  const rail = createRail();
  const location = useLocation();
  return (
    <nav
      aria-label={words.frame.main}
      data-folded={rail.folded() ? '' : undefined}
      class="group/rail fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface sm:sticky sm:top-0 sm:flex sm:h-dvh sm:w-60 sm:shrink-0 sm:flex-col sm:border-t-0 sm:border-r sm:bg-canvas sm:data-folded:w-14"
    >
      <div class="hidden h-12 items-center gap-2 px-4 sm:flex sm:group-data-folded/rail:px-3.5">
        <Logo />
        <span class="truncate font-semibold group-data-folded/rail:sr-only">{words.frame.product}</span>
      </div>
      <ul class="flex justify-around sm:grow sm:flex-col sm:justify-start sm:gap-0.5 sm:overflow-y-auto sm:p-2">
        <For each={props.destinations}>
          {(destination) => (
            <li class="min-w-0 grow sm:grow-0">
              <a
                href={destination.href}
                aria-current={isAt(destination, location.pathname) ? 'page' : undefined}
                title={rail.folded() ? destination.label : undefined}
                class="flex h-14 flex-col items-center justify-center gap-0.5 rounded-md text-xs font-medium text-muted hover:bg-sunken hover:text-text aria-[current=page]:text-accent-text sm:h-8 sm:flex-row sm:justify-start sm:gap-2.5 sm:px-2.5 sm:text-base sm:aria-[current=page]:bg-sunken sm:aria-[current=page]:text-text"
              >
                <Dynamic component={destination.icon} class="size-4.5 shrink-0 sm:size-4" aria-hidden="true" />
                <span class="max-w-full truncate sm:group-data-folded/rail:sr-only">{destination.label}</span>
              </a>
            </li>
          )}
        </For>
      </ul>
      <div class="hidden p-2 sm:block">
        <IconButton label={rail.folded() ? words.frame.unfold : words.frame.fold} onClick={() => rail.toggle()}>
          <Show when={rail.folded()} fallback={<PanelLeftClose class="size-4" aria-hidden="true" />}>
            <PanelLeftOpen class="size-4" aria-hidden="true" />
          </Show>
        </IconButton>
      </div>
    </nav>
  );
}
