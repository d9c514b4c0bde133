import type { ConnectionStatus } from '../../state/live-connection.ts';

const looks: Record<ConnectionStatus, { readonly word: string; readonly dot: string; readonly explanation: string }> = {
  connected: { word: 'Connected', dot: 'bg-success', explanation: 'Changes made elsewhere appear at once.' },
  connecting: { word: 'Connecting', dot: 'bg-control', explanation: 'The connection is being opened.' },
  reconnecting: {
    word: 'Reconnecting',
    dot: 'bg-warning',
    explanation: 'The connection was lost and is being opened again.',
  },
  offline: { word: 'Offline', dot: 'bg-failure', explanation: 'This device has no network.' },
};

export function ConnectionDot(props: { readonly status: ConnectionStatus }) {
  return (
    <span
      role="status"
      data-connection={props.status}
      title={looks[props.status].explanation}
      class="flex shrink-0 items-center gap-1.5 text-xs text-muted"
    >
      <span class={`size-2 rounded-full ${looks[props.status].dot}`} aria-hidden="true" />
      <span classList={{ 'max-sm:sr-only': props.status === 'connected' }}>{looks[props.status].word}</span>
    </span>
  );
}
