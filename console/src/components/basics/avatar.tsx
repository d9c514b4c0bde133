import { initials } from '../../state/people-words.ts';

/** A picture, not a text: drawn by the style sheet, so that it never becomes part of a name that is read out. */
export function Avatar(props: { readonly name: string }) {
  return (
    <span
      aria-hidden="true"
      data-initials={initials(props.name)}
      class="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text before:content-[attr(data-initials)]"
    />
  );
}
