import { Show } from 'solid-js';
import { createFormSubmit } from '../../state/form-submit.ts';
import type { McpServer, McpServers } from '../../state/mcp-servers.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

const said = words.mcpServers.remove;

interface RemoveServerDialogProps {
  readonly servers: McpServers;
  /** Undefined while it is closed. */
  readonly server: McpServer | undefined;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

export function RemoveServerDialog(props: RemoveServerDialogProps) {
  const form = createFormSubmit();

  async function remove(server: McpServer) {
    if ((await form.submit(() => props.servers.remove(server))) !== undefined) props.onRemoved();
  }

  return (
    <Dialog
      open={props.server !== undefined}
      onClose={() => props.onClose()}
      role="alertdialog"
      title={said.title(props.server?.name ?? '')}
      description={said.text}
    >
      <Show when={props.server}>
        {(server) => (
          <div class="flex flex-col gap-4">
            <p role="alert" class="text-sm text-failure empty:hidden">
              {form.problems().general}
            </p>
            <div class="flex justify-end gap-2">
              <Button onClick={() => props.onClose()}>{said.cancel}</Button>
              <Button variant="danger" disabled={form.busy()} onClick={() => void remove(server())}>
                {said.submit}
              </Button>
            </div>
          </div>
        )}
      </Show>
    </Dialog>
  );
}
