import X from 'lucide-solid/icons/x';
import { For, Show } from 'solid-js';
import type { McpServer, McpServers } from '../../state/mcp-servers.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from '../basics/button.tsx';
import { AccessPanel } from './access-panel.tsx';
import { ToolList } from './tool-list.tsx';

const said = words.mcpServers;

interface ServerPanelProps {
  readonly server: McpServer;
  readonly servers: McpServers;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

export function ServerPanel(props: ServerPanelProps) {
  return (
    <section
      aria-label={props.server.name}
      class="flex min-w-0 flex-col gap-5 rounded-lg border border-line bg-surface p-4"
    >
      <div class="flex flex-wrap items-center gap-2">
        <h2 class="mr-auto text-lg font-semibold wrap-anywhere">{props.server.name}</h2>
        <Button onClick={() => props.onEdit()}>{said.edit}</Button>
        <Button variant="danger" onClick={() => props.onRemove()}>
          {said.remove.open}
        </Button>
        <IconButton label={words.frame.close} onClick={() => props.onClose()}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      <Show when={props.server.warnings.length > 0}>
        <div class="rounded-md border border-warning-line bg-warning-soft px-3 py-2 text-sm">
          <p class="font-medium">{said.warnings}</p>
          <ul class="mt-1 list-disc pl-5">
            <For each={props.server.warnings}>{(warning) => <li class="wrap-anywhere">{warning}</li>}</For>
          </ul>
        </div>
      </Show>
      <AccessPanel server={props.server} servers={props.servers} />
      <ToolList server={props.server} servers={props.servers} />
    </section>
  );
}
