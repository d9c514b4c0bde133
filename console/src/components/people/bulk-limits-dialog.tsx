import { AgentConfigFieldsDocument } from '@oracle-agent/sdk/documents';
import { createMemo, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { type BulkField, createBulkLimits } from '../../state/bulk-limits.ts';
import { createLoad } from '../../state/load.ts';
import { type Selection, sizeOf } from '../../state/selection.ts';
import { agentField } from '../../state/setting-fields.ts';
import { words } from '../../words.ts';
import { Dialog } from '../basics/dialog.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { BulkLimitsForm } from './bulk-limits-form.tsx';
import { BulkLimitsPreview } from './bulk-limits-preview.tsx';

interface BulkLimitsDialogProps {
  /** Whose limits; undefined while it is closed. */
  readonly selection: Selection | undefined;
  readonly search: string;
  /** The organisation's ceilings, by limit. */
  readonly ceilings: ReadonlyMap<string, number>;
  readonly onClose: () => void;
  /** Limits were changed, or changed back. */
  readonly onChanged: () => void;
}

export function BulkLimitsDialog(props: BulkLimitsDialogProps) {
  return (
    <Dialog
      open={props.selection !== undefined}
      onClose={() => props.onClose()}
      wide
      title={words.bulkLimits.title(props.selection ? sizeOf(props.selection) : 0)}
      description={words.bulkLimits.text}
    >
      <Show when={props.selection} keyed>
        {(selection) => <BulkLimits {...props} selection={selection} />}
      </Show>
    </Dialog>
  );
}

function BulkLimits(props: Omit<BulkLimitsDialogProps, 'selection'> & { readonly selection: Selection }) {
  const { session } = useApp();
  const load = createLoad(session.client, AgentConfigFieldsDocument, () => ({}));
  return (
    <LoadView state={load.state()} onRetry={() => void load.reload()}>
      {(data) => {
        const fields: readonly BulkField[] = data().agentConfigFields.map((field) => ({
          field: agentField(field),
          ceiling: props.ceilings.get(field.name) ?? null,
        }));
        const bulk = createBulkLimits({
          client: session.client,
          selection: props.selection,
          search: props.search,
          fields,
          onDone: () => {
            props.onChanged();
            props.onClose();
          },
        });
        const seen = createMemo(() => bulk.preview());
        return (
          <Show when={seen()} fallback={<BulkLimitsForm bulk={bulk} onCancel={() => props.onClose()} />}>
            {(preview) => <BulkLimitsPreview bulk={bulk} preview={preview()} />}
          </Show>
        );
      }}
    </LoadView>
  );
}
