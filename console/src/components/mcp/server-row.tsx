import { Show } from 'solid-js';
import { countOf, type McpServer, type McpServers, placeOf, statusTones } from '../../state/mcp-servers.ts';
import { words } from '../../words.ts';
import { StatusPill } from '../basics/status-pill.tsx';
import { SwitchRow } from '../basics/switch-row.tsx';

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
    <SwitchRow
      name={props.server.name}
      href={props.href}
      current={props.current}
      switchLabel={said.switchServer(props.server.name)}
      on={props.server.enabled}
      locked={props.servers.isBusy(props.server.id)}
      onSwitch={(on) => void props.servers.setEnabled(props.server, on)}
      badges={<StatusPill text={said.statuses[props.server.status]} tone={statusTones[props.server.status]} />}
    >
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
    </SwitchRow>
  );
}
