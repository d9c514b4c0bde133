import { useLocation, useSearchParams } from '@solidjs/router';
import { For } from 'solid-js';

export interface View<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

/** Which part of a page is open, kept in the address so that a reload or a link shows the same. The first is the default. */
export function createView<Name extends string>(views: readonly [View<Name>, ...View<Name>[]]): () => Name {
  const [search] = useSearchParams<{ view: string }>();
  return () => (views.find(({ name }) => name === search.view) ?? views[0]).name;
}

interface ViewTabsProps<Name extends string> {
  readonly label: string;
  readonly views: readonly View<Name>[];
  readonly current: Name;
}

export function ViewTabs<Name extends string>(props: ViewTabsProps<Name>) {
  const location = useLocation();
  return (
    <nav aria-label={props.label} class="mb-5 border-b border-line">
      <ul class="-mb-px flex gap-5 overflow-x-auto">
        <For each={props.views}>
          {(view, index) => (
            <li>
              {/* A plain link: the router's own marks every tab as current, because their paths are the same. */}
              <a
                href={index() === 0 ? location.pathname : `${location.pathname}?view=${view.name}`}
                noScroll
                aria-current={props.current === view.name ? 'page' : undefined}
                class="flex h-9 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
              >
                {view.label}
              </a>
            </li>
          )}
        </For>
      </ul>
    </nav>
  );
}
