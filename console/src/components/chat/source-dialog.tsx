import { NoteDocument } from '@oracle-agent/sdk/documents';
import { createResource, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import type { Source } from '../../state/chat/run-view.ts';
import { query } from '../../state/graphql-client.ts';
import { words } from '../../words.ts';
import { Dialog } from '../basics/dialog.tsx';
import { MarkdownView } from './markdown-view.tsx';

interface SourceDialogProps {
  readonly source: Source | undefined;
  readonly onClose: () => void;
  readonly onLink: (address: string) => void;
}

/** What an answer relied on: the note as it is now, or at least the passage. */
export function SourceDialog(props: SourceDialogProps) {
  const { session } = useApp();
  const [note] = createResource(
    () => (props.source?.kind === 'VAULT' ? props.source.path : undefined),
    async (path) => {
      const answer = await query(session.client, NoteDocument, { path });
      return answer.type === 'data' ? answer.data.note : null;
    },
  );
  const place = () => {
    const { source } = props;
    if (!source) return '';
    const line = source.line === null ? '' : `, ${words.sources.line(source.line)}`;
    return `${words.sources.kinds[source.kind] ?? source.kind} · ${source.path}${line}`;
  };
  // Without the front matter, which is for programs.
  const body = () => note()?.body.replace(/^---\n[\s\S]*?\n---\n/, '');

  return (
    <Dialog
      open={props.source !== undefined}
      onClose={props.onClose}
      title={props.source?.title ?? props.source?.path ?? ''}
      description={place()}
      wide
    >
      <section class="max-h-[60vh] overflow-y-auto" tabindex="0" aria-label={props.source?.path ?? ''}>
        <Show when={!note.loading} fallback={<p class="text-muted">{words.sources.loading}</p>}>
          <Show when={body()} fallback={<Passage source={props.source} />}>
            {(text) => <MarkdownView text={text()} growing={false} onLink={props.onLink} onCitation={() => {}} />}
          </Show>
        </Show>
      </section>
    </Dialog>
  );
}

function Passage(props: { readonly source: Source | undefined }) {
  return (
    <>
      <p class="mb-2 text-muted">{props.source?.kind === 'VAULT' ? words.sources.gone : words.sources.passage}</p>
      <pre class="rounded-md bg-sunken p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {props.source?.snippet ?? words.sources.nothing}
      </pre>
    </>
  );
}
