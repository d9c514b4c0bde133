import UserPlus from 'lucide-solid/icons/user-plus';
import X from 'lucide-solid/icons/x';
import { For, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { accessOf, type McpServer, type McpServers } from '../../state/mcp-servers.ts';
import { createPeopleSearch } from '../../state/people-search.ts';
import { words } from '../../words.ts';
import { IconButton } from '../basics/button.tsx';
import { TextField } from '../basics/text-field.tsx';
import { Toggle } from '../basics/toggle.tsx';

const said = words.mcpServers.access;

interface AccessPanelProps {
  readonly server: McpServer;
  readonly servers: McpServers;
}

/** Everybody, or those listed. The list is kept while everybody may. */
export function AccessPanel(props: AccessPanelProps) {
  const { session } = useApp();
  const search = createPeopleSearch(session.client);
  const access = () => accessOf(props.server);
  const busy = () => props.servers.isBusy(props.server.id);
  const others = () => search.found()?.filter(({ id }) => !access().userIds.includes(id));

  async function add(id: string) {
    search.type('');
    await props.servers.setAccess(props.server, { ...access(), userIds: [...access().userIds, id] });
  }

  async function remove(id: string) {
    const userIds = access().userIds.filter((one) => one !== id);
    await props.servers.setAccess(props.server, { ...access(), userIds });
  }

  return (
    <section aria-label={said.title} class="flex flex-col gap-3">
      <h3 class="font-semibold">{said.title}</h3>
      <Toggle
        label={said.everyone}
        text={said.everyone}
        checked={props.server.everyone}
        disabled={busy()}
        onChange={(everyone) => void props.servers.setAccess(props.server, { ...access(), everyone })}
      />
      <Show when={!props.server.everyone}>
        <Show when={props.server.users.length > 0} fallback={<p class="text-muted">{said.nobody}</p>}>
          <ul aria-label={said.people} class="divide-y divide-line rounded-md border border-line">
            <For each={props.server.users}>
              {({ id, name, email }) => (
                <li class="flex items-center justify-between gap-2 py-1 pr-1 pl-3">
                  <span class="min-w-0 wrap-anywhere">
                    {name} <span class="text-sm text-muted">{email}</span>
                  </span>
                  <IconButton label={said.remove(name)} disabled={busy()} onClick={() => void remove(id)}>
                    <X class="size-4" aria-hidden="true" />
                  </IconButton>
                </li>
              )}
            </For>
          </ul>
        </Show>
        <TextField
          label={said.search}
          type="search"
          autocomplete="off"
          value={search.typed()}
          onInput={(event) => search.type(event.currentTarget.value)}
          problem={search.problem()}
        />
        <div role="status">
          <Show when={others()?.length === 0}>
            <p class="text-sm text-muted">{said.noMatch}</p>
          </Show>
        </div>
        <Show when={(others()?.length ?? 0) > 0}>
          <ul aria-label={said.found} class="divide-y divide-line rounded-md border border-line">
            <For each={others()}>
              {({ id, name, email }) => (
                <li>
                  <button
                    type="button"
                    aria-label={said.add(name)}
                    disabled={busy()}
                    class="flex w-full items-center gap-2 px-3 py-1.5 text-left hover:bg-sunken"
                    onClick={() => void add(id)}
                  >
                    <UserPlus class="size-4 shrink-0 text-muted" aria-hidden="true" />
                    <span class="min-w-0 wrap-anywhere">
                      {name} <span class="text-sm text-muted">{email}</span>
                    </span>
                  </button>
                </li>
              )}
            </For>
          </ul>
        </Show>
      </Show>
    </section>
  );
}
