import { IssueTokenDocument } from '@oracle-agent/sdk/documents';
import { createSignal, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { mutate } from '../../state/graphql-client.ts';
import { words } from '../../words.ts';
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

const said = words.people.issue;

const lifetimes = [
  { value: '604800', label: said.days(7) },
  { value: '2592000', label: said.days(30) },
  { value: '7776000', label: said.days(90) },
  { value: '31536000', label: said.year },
] as const;

type Lifetime = (typeof lifetimes)[number]['value'];

export function IssueTokenDialog(props: IssueTokenDialogProps) {
  return (
    <Dialog open={props.open} onClose={() => props.onClose()} title={said.title}>
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
            label={said.name}
            hint={said.nameHint}
            autocomplete="off"
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
            problem={form.problems().fields.name}
          />
          <SelectField label={said.endsAfter} options={lifetimes} value={lifetime()} onChange={setLifetime} />
          <p role="alert" class="text-sm text-failure empty:hidden">
            {form.problems().general ?? form.problems().fields.expiresInSeconds}
          </p>
          <div class="flex justify-end gap-2">
            <Button onClick={() => props.onClose()}>{said.cancel}</Button>
            <Button type="submit" variant="primary" disabled={form.busy()}>
              {said.submit}
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
        {said.copyNow} <strong>{said.shownOnce}</strong> {said.whoever}
      </p>
      <input
        readonly
        aria-label={said.newToken}
        value={props.token}
        class="h-9 w-full rounded-md border border-control bg-sunken px-2.5 font-mono text-sm"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>{said.done}</Button>
        <CopyButton text={props.token} />
      </div>
    </div>
  );
}
