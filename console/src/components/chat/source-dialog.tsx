import { A } from '@solidjs/router';
import { createResource, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import type { Source } from '../../state/chat/run-view.ts';
import { loadMaterial } from '../../state/chat/source-material.ts';
import { words } from '../../words.ts';
import { buttonClass } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { SourceMaterial } from './source-material-view.tsx';

interface SourceDialogProps {
  readonly source: Source | undefined;
  /** Whose answer cites it: what it names is in the same project. */
  readonly conversationId: string;
  readonly onClose: () => void;
  readonly onLink: (address: string) => void;
}

/** What an answer relied on, for a quick look: as it is now, or at least the passage; and the way to all of it. */
export function SourceDialog(props: SourceDialogProps) {
  const { session } = useApp();
  const [material] = createResource(
    () => props.source,
    (source) => loadMaterial(session.client, props.conversationId, source),
  );
  const place = () => {
    const { source } = props;
    if (!source) return '';
    const number = source.kind === 'THREAD' ? words.threads.number : words.sources.line;
    const line = source.line === null ? '' : `, ${number(source.line)}`;
    return `${words.sources.kinds[source.kind] ?? source.kind} · ${source.path}${line}`;
  };
  const address = () => {
    const found = material.loading ? undefined : material();
    return found && 'address' in found ? found.address : undefined;
  };

  return (
    <Dialog
      open={props.source !== undefined}
      onClose={props.onClose}
      title={props.source?.title ?? props.source?.path ?? ''}
      description={place()}
      wide
    >
      <section class="max-h-[60vh] overflow-y-auto" tabindex="0" aria-label={props.source?.path ?? ''}>
        <Show
          when={!material.loading && material()}
          fallback={
            <p role="status" class="text-muted">
              {words.sources.loading}
            </p>
          }
        >
          {(found) => <SourceMaterial material={found()} source={props.source} onLink={props.onLink} />}
        </Show>
      </section>
      <Show when={address()}>
        {(href) => (
          <p class="mt-4 flex justify-end">
            <A href={href()} class={buttonClass('secondary')}>
              {words.sources.open[props.source?.kind ?? '']}
            </A>
          </p>
        )}
      </Show>
    </Dialog>
  );
}
