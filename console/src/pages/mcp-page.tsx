import { useSearchParams } from '@solidjs/router';
import Plus from 'lucide-solid/icons/plus';
import RefreshCw from 'lucide-solid/icons/refresh-cw';
import { createSignal, For, Show } from 'solid-js';
import { Button } from '../components/basics/button.tsx';
import { LoadView } from '../components/basics/load-view.tsx';
import { EmptyNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { RemoveServerDialog } from '../components/mcp/remove-server-dialog.tsx';
import { ServerDialog } from '../components/mcp/server-dialog.tsx';
import { ServerPanel } from '../components/mcp/server-panel.tsx';
import { ServerRow } from '../components/mcp/server-row.tsx';
import { useApp } from '../state/app-context.ts';
import { createMcpServers, type McpServer } from '../state/mcp-servers.ts';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

const said = words.mcpServers;

export function McpPage() {
  createPlace(() => said.title);
  const { session } = useApp();
  const servers = createMcpServers(session.client);
  const [search, setSearch] = useSearchParams<{ server: string }>();
  const [editing, setEditing] = createSignal<McpServer | 'new'>();
  const [removing, setRemoving] = createSignal<McpServer>();
  const open = (id: string | undefined) => setSearch({ server: id }, { scroll: false });

  function saved(server: McpServer) {
    servers.put(server);
    setEditing(undefined);
    open(server.id);
  }

  const addButton = () => (
    <Button variant="primary" onClick={() => setEditing('new')}>
      <Plus class="size-4" aria-hidden="true" /> {said.add}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={said.title}
        description={said.description}
        actions={
          <div class="flex gap-2">
            <Button disabled={servers.loading()} onClick={() => void servers.reload()}>
              <RefreshCw class="size-4" aria-hidden="true" /> {servers.loading() ? said.refreshing : said.refresh}
            </Button>
            {addButton()}
          </div>
        }
      />
      <LoadView state={servers.state()} onRetry={() => void servers.reload()}>
        {(list) => {
          const byId = (id: string | undefined) => list().find((server) => server.id === id);
          const chosen = () => byId(search.server);
          return (
            <div class="grid items-start gap-4" classList={{ 'lg:grid-cols-2': chosen() !== undefined }}>
              {/* On a small screen what was chosen comes first. */}
              <div
                class="min-w-0 rounded-lg border border-line bg-surface"
                classList={{ 'max-lg:order-last': chosen() !== undefined }}
              >
                <Show
                  when={list().length > 0}
                  fallback={<EmptyNotice title={said.empty} text={said.emptyText} action={addButton()} />}
                >
                  <ul aria-label={said.list} class="divide-y divide-line">
                    {/* By id, so that an answer of the server leaves the focus where it is. */}
                    <For each={list().map(({ id }) => id)}>
                      {(id) => (
                        <Show when={byId(id)}>
                          {(server) => (
                            <ServerRow
                              server={server()}
                              servers={servers}
                              href={`/admin/mcp?server=${id}`}
                              current={id === search.server}
                            />
                          )}
                        </Show>
                      )}
                    </For>
                  </ul>
                </Show>
              </div>
              {/* Made anew for every server, so that nothing typed is left over from another. */}
              <Show when={chosen()?.id} keyed>
                <Show when={chosen()}>
                  {(server) => (
                    <ServerPanel
                      server={server()}
                      servers={servers}
                      onEdit={() => setEditing(server())}
                      onRemove={() => setRemoving(server())}
                      onClose={() => open(undefined)}
                    />
                  )}
                </Show>
              </Show>
            </div>
          );
        }}
      </LoadView>
      <ServerDialog
        about={editing()}
        onClose={() => setEditing(undefined)}
        onKnown={(server) => servers.put(server)}
        onSaved={saved}
      />
      <RemoveServerDialog
        servers={servers}
        server={removing()}
        onClose={() => setRemoving(undefined)}
        onRemoved={() => {
          setRemoving(undefined);
          open(undefined);
        }}
      />
    </>
  );
}
