import { type AccessTokenFragment, RevokeTokenDocument } from '@oracle-agent/sdk/documents';
import { Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { createFormSubmit } from '../../state/form-submit.ts';
import { mutate } from '../../state/graphql-client.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

const said = words.people.revoke;

interface RevokeTokenDialogProps {
  readonly token: AccessTokenFragment | undefined;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeTokenDialog(props: RevokeTokenDialogProps) {
  const { session } = useApp();
  const form = createFormSubmit();

  async function revoke(id: string) {
    const data = await form.submit(() => mutate(session.client, RevokeTokenDocument, { id }));
    if (data) props.onRevoked();
  }

  return (
    <Dialog
      open={props.token !== undefined}
      onClose={() => props.onClose()}
      role="alertdialog"
      title={said.title(props.token?.name ?? '')}
      description={props.token?.current ? said.own : said.other}
    >
      <Show when={props.token}>
        {(token) => (
          <div class="flex flex-col gap-4">
            <p role="alert" class="text-sm text-failure empty:hidden">
              {form.problems().general}
            </p>
            <div class="flex justify-end gap-2">
              <Button onClick={() => props.onClose()}>{said.cancel}</Button>
              <Button variant="danger" disabled={form.busy()} onClick={() => void revoke(token().id)}>
                {said.submit}
              </Button>
            </div>
          </div>
        )}
      </Show>
    </Dialog>
  );
}
