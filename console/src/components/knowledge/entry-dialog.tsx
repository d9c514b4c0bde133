import { createEffect, createSignal, on } from 'solid-js';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { TextField } from '../basics/text-field.tsx';
import { EntryFields, type EntryKind } from './entry-fields.tsx';

interface EntryDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Answers why it was not accepted, or with nothing. */
  readonly onSave: (entry: {
    readonly title: string;
    readonly kind: EntryKind;
    readonly text: string;
  }) => Promise<string | undefined>;
}

/** A new thread: its title and its first entry. */
export function EntryDialog(props: EntryDialogProps) {
  const [title, setTitle] = createSignal('');
  const [kind, setKind] = createSignal<EntryKind>('THOUGHT');
  const [text, setText] = createSignal('');
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);

  createEffect(
    on(
      () => props.open,
      (open) => {
        if (!open) return;
        setTitle('');
        setText('');
        setProblem(undefined);
      },
    ),
  );

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy()) return;
    setBusy(true);
    const found = await props.onSave({ title: title(), kind: kind(), text: text() });
    setBusy(false);
    setProblem(found);
    if (found === undefined) props.onClose();
  }

  return (
    <Dialog open={props.open} onClose={props.onClose} title={words.threads.createTitle}>
      <form class="flex flex-col gap-4" novalidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.threads.title}
          autofocus
          autocomplete="off"
          value={title()}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <EntryFields kind={kind()} onKind={setKind} text={text()} onText={setText} />
        <p role="alert" class="text-sm text-failure empty:hidden">
          {problem()}
        </p>
        <div class="flex justify-end gap-2">
          <Button variant="ghost" onClick={() => props.onClose()}>
            {words.knowledge.cancel}
          </Button>
          <Button type="submit" variant="primary" disabled={busy()}>
            {words.knowledge.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
