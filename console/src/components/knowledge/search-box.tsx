import Search from 'lucide-solid/icons/search';
import { onCleanup } from 'solid-js';
import { inputClass } from '../basics/text-field.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

const typingPauseMs = 250;

/** A search field that waits for a pause in typing. */
export function SearchBox(props: SearchBoxProps) {
  let pause: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(pause));
  const searchFor = (text: string, ms: number) => {
    clearTimeout(pause);
    pause = setTimeout(() => props.onSearch(text.trim()), ms);
  };
  return (
    <search class="relative block">
      <Search class="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" aria-hidden="true" />
      <input
        type="search"
        aria-label={props.label}
        placeholder={props.label}
        class={`${inputClass} pl-8`}
        value={props.value}
        onInput={(event) => searchFor(event.currentTarget.value, typingPauseMs)}
        onKeyDown={(event) => event.key === 'Enter' && searchFor(event.currentTarget.value, 0)}
      />
    </search>
  );
}
