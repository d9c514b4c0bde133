import { Show } from 'solid-js';
import { countOf, type McpServer, type McpServers, placeOf, statusTones } from '../../state/mcp-servers.ts';
import { words } from '../../words.ts';
import { StatusPill } from '../basics/status-pill.tsx';
import { Toggle } from '../basics/toggle.tsx';

const said = words.mcpServers;

interface ServerRowProps {
  readonly server: McpServer;
  readonly servers: McpServers;
  /** Where its tools are. */
  readonly href: string;
  readonly current: boolean;
}

export function ServerRow(props: ServerRowProps) {
  const count = () => countOf(props.server.tools);
  return (
    <li
      class="relative flex items-start gap-3 px-3 py-3 transition-colors hover:bg-sunken sm:px-4"
      classList={{ 'bg-accent-soft': props.current }}
    >
      <div class="relative z-1 pt-0.5">
        <Toggle
          label={said.switchServer(props.server.name)}
          checked={props.server.enabled}
          disabled={props.servers.isBusy(props.server.id)}
          onChange={(on) => void props.servers.setEnabled(props.server, on)}
        />
      </div>
      <div class="min-w-0 flex-1">
        <div class="flex flex-wrap items-center gap-x-2 gap-y-1">
          {/* The whole row leads to the server; the switch stands above. */}
          <a
            href={props.href}
            noScroll
            aria-current={props.current ? 'true' : undefined}
            class="font-medium wrap-anywhere after:absolute after:inset-0"
          >
            {props.server.name}
          </a>
          <StatusPill text={said.statuses[props.server.status]} tone={statusTones[props.server.status]} />
        </div>
        <p class="mt-0.5 truncate font-mono text-sm text-muted" title={placeOf(props.server)}>
          {placeOf(props.server)}
        </p>
        <Show when={props.server.statusReason}>
          {(reason) => (
            <p class="mt-1 text-sm wrap-anywhere">
              <span class="text-failure">{reason()}</span> {said.triedAgain}
            </p>
          )}
        </Show>
        <p class="mt-1 flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <span>{said.toolCount(count().approved, count().all)}</span>
          <Show when={count().changed > 0}>
            <span class="text-warning">{said.changedCount(count().changed)}</span>
          </Show>
          <span>{props.server.everyone ? said.forEverybody : said.forPeople(props.server.users.length)}</span>
        </p>
      </div>
    </li>
  );
}
