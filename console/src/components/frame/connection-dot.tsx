import type { ConnectionStatus } from '../../state/live-connection.ts';
import { words } from '../../words.ts';

const dots: Record<ConnectionStatus, string> = {
  connected: 'bg-success',
  connecting: 'bg-control',
  reconnecting: 'bg-warning',
  offline: 'bg-failure',
};

export function ConnectionDot(props: { readonly status: ConnectionStatus }) {
  return (
    <span
      role="status"
      data-connection={props.status}
      title={words.frame.connection[props.status].explanation}
      class="flex shrink-0 items-center gap-1.5 text-xs text-muted"
    >
      <span class={`size-2 rounded-full ${dots[props.status]}`} aria-hidden="true" />
      <span classList={{ 'max-sm:sr-only': props.status === 'connected' }}>
        {words.frame.connection[props.status].word}
      </span>
    </span>
  );
}
