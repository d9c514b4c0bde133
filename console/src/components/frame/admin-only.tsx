import { type JSX, Show } from 'solid-js';
import { useViewer } from '../../state/app-context.ts';
import { ForbiddenNotice } from '../basics/forbidden-notice.tsx';

/** Spares ordinary users a page of refused requests. The server is what actually refuses. */
export function AdminOnly(props: { readonly children?: JSX.Element }) {
  const viewer = useViewer();
  return (
    <Show when={viewer().role === 'ADMIN'} fallback={<ForbiddenNotice />}>
      {props.children}
    </Show>
  );
}
