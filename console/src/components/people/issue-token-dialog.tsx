import { IssueTokenDocument } from '@oracle-agent/sdk/documents';
import { createSignal, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { mutate } from '../../state/graphql-client.ts';
import { Button } from '../basics/button.tsx';
import { CopyButton } from '../basics/copy-button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { SelectField } from '../basics/select-field.tsx';
import { TextField } from '../basics/text-field.tsx';

interface IssueTokenDialogProps {
  readonly userId: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onIssued: () => void;
}

const lifetimes = [
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
  { value: '7776000', label: '90 days' },
  { value: '31536000', label: '1 year' },
] as const;

type Lifetime = (typeof lifetimes)[number]['value'];

export function IssueTokenDialog(props: IssueTokenDialogProps) {
  return (
    <Dialog open={props.open} onClose={() => props.onClose()} title="Issue a token">
      <IssueToken userId={props.userId} onClose={() => props.onClose()} onIssued={() => props.onIssued()} />
    </Dialog>
  );
}

function IssueToken(props: Omit<IssueTokenDialogProps, 'open'>) {
  const { session } = useApp();
  const form = createFormSubmit();
  const [name, setName] = createSignal('');
  const [lifetime, setLifetime] = createSignal<Lifetime>('7776000');
  const [token, setToken] = createSignal<string>();

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const input = { userId: props.userId, name: name(), expiresInSeconds: Number(lifetime()) };
    const data = await form.submit(() => mutate(session.client, IssueTokenDocument, { input }));
    if (data?.issueToken.__typename === 'InvalidInput') return form.refuse(data.issueToken.problems);
    if (!data) return;
    setToken(data.issueToken.token);
    props.onIssued();
  }

  return (
    <Show
      when={token()}
      fallback={
        <form class="flex flex-col gap-4" novalidate onSubmit={(event) => void submit(event)}>
          <TextField
            label="Name"
            hint="What it is for, such as “laptop” or “nightly job”."
            autocomplete="off"
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
            problem={form.problems().fields.name}
          />
          <SelectField label="Ends after" options={lifetimes} value={lifetime()} onChange={setLifetime} />
          <p role="alert" class="text-sm text-failure empty:hidden">
            {form.problems().general ?? form.problems().fields.expiresInSeconds}
          </p>
          <div class="flex justify-end gap-2">
            <Button onClick={() => props.onClose()}>Cancel</Button>
            <Button type="submit" variant="primary" disabled={form.busy()}>
              Issue token
            </Button>
          </div>
        </form>
      }
    >
      {(issued) => <IssuedToken token={issued()} onClose={() => props.onClose()} />}
    </Show>
  );
}

function IssuedToken(props: { readonly token: string; readonly onClose: () => void }) {
  return (
    <div class="flex flex-col gap-4">
      <p>
        Copy it now: <strong>it is shown only this once.</strong> Whoever has it can sign in.
      </p>
      <input
        readonly
        aria-label="New token"
        value={props.token}
        class="h-9 w-full rounded-md border border-control bg-sunken px-2.5 font-mono text-sm"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>Done</Button>
        <CopyButton text={props.token} />
      </div>
    </div>
  );
}
