import Search from 'lucide-solid/icons/search';
import { words } from '../../words.ts';

/** Looks like the field that it opens; on small screens only its icon is left. */
export function SearchButton(props: { readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label={words.palette.title}
      title={words.palette.openHint}
      aria-keyshortcuts="Control+K"
      aria-haspopup="dialog"
      class="flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-muted hover:bg-sunken hover:text-text md:w-56 md:border md:border-line md:bg-surface md:px-2.5 md:hover:border-control"
      onClick={() => props.onOpen()}
    >
      <Search class="size-4 shrink-0" aria-hidden="true" />
      <span class="hidden grow text-left md:block">{words.palette.open}</span>
      {/* A picture of the keys, drawn by the style sheet: it must not become part of the button's name. */}
      <span
        aria-hidden="true"
        data-keys={words.palette.keys}
        class="hidden rounded border border-line px-1 font-mono text-xs before:content-[attr(data-keys)] md:block"
      />
    </button>
  );
}
