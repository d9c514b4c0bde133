import { For, Show } from 'solid-js';
import { approvable, type McpServer, type McpServers, type McpTool, toolTones } from '../../state/mcp-servers.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { StatusPill } from '../basics/status-pill.tsx';

const said = words.mcpServers.tools;

interface ToolListProps {
  readonly server: McpServer;
  readonly servers: McpServers;
}

/** What a server offers, as it says so itself, and whether models may see it. */
export function ToolList(props: ToolListProps) {
  const waiting = () => approvable(props.server.tools);
  return (
    <section aria-label={said.title}>
      <div class="mb-2 flex min-h-7 items-center justify-between gap-2">
        <h3 class="font-semibold">{said.title}</h3>
        <Show when={waiting().length > 1}>
          <Button
            size="small"
            disabled={props.servers.isBusy(props.server.id)}
            onClick={() => void props.servers.approve(props.server, waiting())}
          >
            {said.approveAll(waiting().length)}
          </Button>
        </Show>
      </div>
      <Show
        when={props.server.tools.length > 0}
        fallback={<p class="text-muted">{props.server.status === 'CONNECTED' ? said.none : said.notSeen}</p>}
      >
        <ul class="divide-y divide-line border-y border-line">
          {/* By name, so that an answer of the server leaves what is unfolded, and the focus, where they are. */}
          <For each={props.server.tools.map(({ name }) => name)}>
            {(name) => (
              <Show when={props.server.tools.find((tool) => tool.name === name)}>
                {(tool) => <ToolRow tool={tool()} server={props.server} servers={props.servers} />}
              </Show>
            )}
          </For>
        </ul>
      </Show>
    </section>
  );
}

function ToolRow(props: ToolListProps & { readonly tool: McpTool }) {
  const busy = () => props.servers.isBusy(props.server.id);
  const canApprove = () => props.tool.state !== 'APPROVED' && props.tool.available;
  const revoke = () => void props.servers.revoke(props.server, props.tool);
  const act = () => (canApprove() ? void props.servers.approve(props.server, [props.tool]) : revoke());
  const name = () => props.tool.toolName;
  return (
    <li class="py-3">
      <div class="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span class="font-mono text-sm font-medium wrap-anywhere">{name()}</span>
        <StatusPill text={said.states[props.tool.state]} tone={toolTones[props.tool.state]} />
        <Show when={!props.tool.available}>
          <StatusPill text={said.unavailable} tone="neutral" />
        </Show>
        <span class="ml-auto flex gap-1">
          <Show when={props.tool.state === 'CHANGED' && props.tool.available}>
            <Button size="small" aria-label={said.revokeOne(name())} disabled={busy()} onClick={revoke}>
              {said.revoke}
            </Button>
          </Show>
          {/* One button for both, never disabled: whoever pressed it with the keyboard stays on it. */}
          <Button
            size="small"
            variant={canApprove() ? 'primary' : 'secondary'}
            aria-label={canApprove() ? said.approveOne(name()) : said.revokeOne(name())}
            aria-disabled={busy()}
            onClick={() => !busy() && act()}
          >
            {canApprove() ? said.approve : said.revoke}
          </Button>
        </span>
      </div>
      <Definitions tool={props.tool} />
      <p class="mt-1 text-sm text-muted tabular-nums">{said.tokens(props.tool.promptTokens)}</p>
    </li>
  );
}

/** One where it is as it was approved; both, to be compared, where it has changed. */
function Definitions(props: { readonly tool: McpTool }) {
  const changed = () => props.tool.state === 'CHANGED';
  const shown = () =>
    changed()
      ? [
          { label: said.now, definition: props.tool.present },
          { label: said.before, definition: props.tool.approved },
        ]
      : [{ label: undefined, definition: props.tool.present ?? props.tool.approved }];
  return (
    <For each={shown()}>
      {({ label, definition }) => (
        <Show when={definition}>
          {(known) => (
            <div class="mt-1 text-sm">
              <p class="wrap-anywhere whitespace-pre-line text-muted">
                <Show when={label}>
                  <strong class="font-medium text-text">{label} </strong>
                </Show>
                {known().description === '' ? said.noDescription : known().description}
              </p>
              <details>
                <summary
                  class="cursor-pointer text-muted hover:text-text"
                  aria-label={said.detailsOf(props.tool.toolName)}
                >
                  {said.details}
                </summary>
                <pre class="mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-2 text-xs wrap-anywhere whitespace-pre-wrap">
                  {JSON.stringify({ arguments: known().inputSchema, hints: known().annotations }, null, 2)}
                </pre>
              </details>
            </div>
          )}
        </Show>
      )}
    </For>
  );
}
