import { CreateUserDocument } from '@oracle-agent/sdk/documents';
import { createSignal } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { mutate } from '../../state/graphql-client.ts';
import { roleName } from '../../state/people-words.ts';
import type { Viewer } from '../../state/session.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { SelectField } from '../basics/select-field.tsx';
import { TextField } from '../basics/text-field.tsx';

interface CreateUserDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

const said = words.people.create;

const roles = [
  { value: 'USER', label: roleName('USER') },
  { value: 'ADMIN', label: roleName('ADMIN') },
] as const;

export function CreateUserDialog(props: CreateUserDialogProps) {
  return (
    <Dialog open={props.open} onClose={() => props.onClose()} title={said.title} description={said.text}>
      <CreateUserForm onClose={() => props.onClose()} onCreated={(id) => props.onCreated(id)} />
    </Dialog>
  );
}

function CreateUserForm(props: Omit<CreateUserDialogProps, 'open'>) {
  const { session } = useApp();
  const form = createFormSubmit();
  const [name, setName] = createSignal('');
  const [email, setEmail] = createSignal('');
  const [role, setRole] = createSignal<Viewer['role']>('USER');

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const input = { name: name(), email: email(), role: role() };
    const data = await form.submit(() => mutate(session.client, CreateUserDocument, { input }));
    if (data?.createUser.__typename === 'InvalidInput') form.refuse(data.createUser.problems);
    else if (data) props.onCreated(data.createUser.id);
  }

  return (
    <form class="flex flex-col gap-4" novalidate onSubmit={(event) => void submit(event)}>
      <TextField
        label={said.name}
        autocomplete="off"
        value={name()}
        onInput={(event) => setName(event.currentTarget.value)}
        problem={form.problems().fields.name}
      />
      <TextField
        label={said.email}
        type="email"
        autocomplete="off"
        value={email()}
        onInput={(event) => setEmail(event.currentTarget.value)}
        problem={form.problems().fields.email}
      />
      <SelectField label={said.role} options={roles} value={role()} onChange={setRole} />
      <p role="alert" class="text-sm text-failure empty:hidden">
        {form.problems().general}
      </p>
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>{said.cancel}</Button>
        <Button type="submit" variant="primary" disabled={form.busy()}>
          {said.submit}
        </Button>
      </div>
    </form>
  );
}
