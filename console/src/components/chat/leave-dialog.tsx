import ExternalLink from 'lucide-solid/icons/external-link';
import { words } from '../../words.ts';
import { Button, buttonClass } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

interface LeaveDialogProps {
  readonly address: string | undefined;
  readonly onClose: () => void;
}

/** A model's link is followed by a person's decision only, with the whole address in sight. */
export function LeaveDialog(props: LeaveDialogProps) {
  return (
    <Dialog
      open={props.address !== undefined}
      onClose={props.onClose}
      title={words.leave.title}
      description={words.leave.text}
    >
      <p class="max-h-40 overflow-y-auto rounded-md bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere" dir="ltr">
        <bdi>{props.address}</bdi>
      </p>
      <div class="mt-4 flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={() => props.onClose()}>
          {words.leave.cancel}
        </Button>
        <Button
          onClick={() => {
            void navigator.clipboard?.writeText(props.address ?? '');
            props.onClose();
          }}
        >
          {words.leave.copy}
        </Button>
        <a
          href={props.address}
          target="_blank"
          rel="noopener noreferrer nofollow external"
          class={buttonClass('primary')}
          onClick={() => props.onClose()}
        >
          <ExternalLink class="size-4" aria-hidden="true" /> {words.leave.open}
        </a>
      </div>
    </Dialog>
  );
}
