export function Logo(props: { readonly class?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" class={props.class ?? 'size-7 shrink-0'}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <circle cx="16" cy="16" r="8.5" fill="none" stroke="#fff" stroke-width="2.5" />
      <circle cx="16" cy="16" r="3" fill="#fff" />
    </svg>
  );
}
