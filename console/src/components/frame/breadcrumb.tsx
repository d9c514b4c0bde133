import { A } from '@solidjs/router';
import ChevronRight from 'lucide-solid/icons/chevron-right';
import { For } from 'solid-js';
import { currentPlace } from '../../state/place.ts';
import { words } from '../../words.ts';

export function Breadcrumb() {
  return (
    <nav aria-label={words.frame.breadcrumb} class="min-w-0 grow">
      <ol class="flex min-w-0 items-center gap-1">
        <For each={currentPlace().parents}>
          {(crumb) => (
            <li class="flex shrink-0 items-center gap-1">
              <A href={crumb.href} class="rounded text-muted hover:text-text hover:underline">
                {crumb.label}
              </A>
              <ChevronRight class="size-3.5 text-faint" aria-hidden="true" />
            </li>
          )}
        </For>
        <li class="min-w-0 truncate font-medium" aria-current="page">
          {currentPlace().title}
        </li>
      </ol>
    </nav>
  );
}
