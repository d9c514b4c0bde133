import { UserDocument } from '@oracle-agent/sdk/documents';
import { useParams } from '@solidjs/router';
import { Show } from 'solid-js';
import { LoadView } from '../components/basics/load-view.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { StatusPill } from '../components/basics/status-pill.tsx';
import { PersonViews } from '../components/people/person-views.tsx';
import { UsageLinks } from '../components/usage/usage-links.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { createLoad } from '../state/load.ts';
import { roleName } from '../state/people-words.ts';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';
import { NotFoundNotice } from './not-found-page.tsx';

export function UserPage() {
  const { session } = useApp();
  const viewer = useViewer();
  const params = useParams<{ id: string }>();
  const load = createLoad(session.client, UserDocument, () => ({ id: params.id }));
  const user = () => {
    const state = load.state();
    return state.type === 'ready' ? (state.data.user ?? undefined) : undefined;
  };
  createPlace(
    () => user()?.name ?? words.people.one,
    () => [{ label: words.people.title, href: '/admin/users' }],
  );

  return (
    <div class="mx-auto max-w-4xl">
      <LoadView state={load.state()} onRetry={() => void load.reload()}>
        {() => (
          <Show when={user()} keyed fallback={<NotFoundNotice what="person" />}>
            {(person) => (
              <>
                <PageHeader
                  title={person.name}
                  description={
                    <span class="flex flex-wrap items-center gap-2">
                      {person.email}
                      <StatusPill text={roleName(person.role)} tone={person.role === 'ADMIN' ? 'accent' : 'neutral'} />
                    </span>
                  }
                  actions={<UsageLinks userId={person.id} />}
                />
                <PersonViews userId={person.id} self={person.id === viewer().id} />
              </>
            )}
          </Show>
        )}
      </LoadView>
    </div>
  );
}
