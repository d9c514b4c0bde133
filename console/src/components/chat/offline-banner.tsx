import WifiOff from 'lucide-solid/icons/wifi-off';
import { Show } from 'solid-js';
import type { ConnectionStatus } from '../../state/live-connection.ts';
import { words } from '../../words.ts';

/** Nothing is lost while the connection is away, and it should say so. */
export function OfflineBanner(props: { readonly status: ConnectionStatus }) {
  const message = () =>
    props.status === 'offline'
      ? words.offline.offline
      : props.status === 'reconnecting'
        ? words.offline.reconnecting
        : undefined;
  return (
    <div role="status">
      <Show when={message()}>
        {(text) => (
          <p class="flex items-center gap-2 border-b border-warning-line bg-warning-soft px-4 py-1.5 text-sm">
            <WifiOff class="size-4 shrink-0 text-warning" aria-hidden="true" /> {text()}
          </p>
        )}
      </Show>
    </div>
  );
}
