import { createEffect, createSignal, onCleanup } from 'solid-js';
import { words } from '../words.ts';

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

interface PlaceNow {
  readonly title: string;
  readonly parents: readonly Crumb[];
}

const [place, setPlace] = createSignal<PlaceNow>({ title: '', parents: [] });

/** Where the person is, for the breadcrumb. */
export const currentPlace = place;

/** Names the page: in the tab, in the breadcrumb and for whoever has the page read to them. */
export function createPlace(
  title: () => string,
  parents: () => readonly Crumb[] = () => [],
  /** Where the page itself shows its title, something shorter for the breadcrumb. */
  crumb: () => string = title,
) {
  createEffect(() => {
    setPlace({ title: crumb(), parents: parents() });
    document.title = title() === '' ? words.frame.product : `${title()} · ${words.frame.product}`;
  });
  onCleanup(() => setPlace({ title: '', parents: [] }));
}
