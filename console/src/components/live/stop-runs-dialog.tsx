import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

const said = words.live;

interface StopRunsDialogProps {
  /** Which runs; undefined while it is closed. */
  readonly runIds: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (runIds: readonly string[]) => void;
}

export function StopRunsDialog(props: StopRunsDialogProps) {
  const count = () => props.runIds?.length ?? 0;
  return (
    <Dialog
      open={props.runIds !== undefined}
      onClose={() => props.onClose()}
      role="alertdialog"
      title={said.confirmTitle(count())}
      description={said.confirmText}
    >
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>{said.cancel}</Button>
        <Button variant="danger" onClick={() => props.onConfirm(props.runIds ?? [])}>
          {said.confirm(count())}
        </Button>
      </div>
    </Dialog>
  );
}
