import { createEffect, createSignal, on } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { TextField } from '../basics/text-field.tsx';

interface NameDialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly field: string;
  readonly action: string;
  readonly value: string;
  readonly onClose: () => void;
  /** Answers why it was not accepted, or with nothing. */
  readonly onSave: (value: string) => Promise<string | undefined>;
}

/** Asks for one name. */
export function NameDialog(props: NameDialogProps) {
  const [value, setValue] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);

  createEffect(
    on(
      () => props.open,
      (open) => {
        if (!open) return;
        setValue(props.value);
        setProblem(undefined);
      },
    ),
  );

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy()) return;
    setBusy(true);
    const found = await props.onSave(value());
    setBusy(false);
    setProblem(found);
    if (found === undefined) props.onClose();
  }

  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <form class="flex flex-col gap-4" novalidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={props.field}
          autofocus
          autocomplete="off"
          value={value()}
          problem={problem()}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <div class="flex justify-end gap-2">
          <Button variant="ghost" onClick={() => props.onClose()}>
            {words.tree.cancel}
          </Button>
          <Button type="submit" variant="primary" disabled={busy()}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
