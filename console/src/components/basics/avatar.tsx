import { initials } from '../../state/people-words.ts';

export function Avatar(props: { readonly name: string }) {
  return (
    <span
      aria-hidden="true"
      class="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
    >
      {initials(props.name)}
    </span>
  );
}
