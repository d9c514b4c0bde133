import { A } from '@solidjs/router';
import Bell from 'lucide-solid/icons/bell';
import { Show } from 'solid-js';
import { words } from '../../words.ts';

const mostCounted = 99;

/** The way to the inbox, with how much in it is new. */
export function InboxLink(props: { readonly unseen: number }) {
  const shown = () => (props.unseen > mostCounted ? `${mostCounted}+` : String(props.unseen));
  const label = () => words.inbox.open(props.unseen === 0 ? undefined : shown());
  return (
    <A
      href="/inbox"
      aria-label={label()}
      title={label()}
      class="relative inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-text"
    >
      <Bell class="size-4" aria-hidden="true" />
      <Show when={props.unseen > 0}>
        <span
          aria-hidden="true"
          class="absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 font-semibold text-on-accent tabular-nums"
        >
          {shown()}
        </span>
      </Show>
    </A>
  );
}
