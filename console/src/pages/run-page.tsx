import { A, useNavigate, useParams } from '@solidjs/router';
import Compass from 'lucide-solid/icons/compass';
import { Match, Show, Switch } from 'solid-js';
import { buttonClass } from '../components/basics/button.tsx';
import { LoadView } from '../components/basics/load-view.tsx';
import { createView, type View, ViewTabs } from '../components/basics/view-tabs.tsx';
import { DecisionsGrid } from '../components/runs/decisions-grid.tsx';
import { EventsView } from '../components/runs/events-view.tsx';
import { RunConversation } from '../components/runs/run-conversation.tsx';
import { RunHeader } from '../components/runs/run-header.tsx';
import { TimelineView } from '../components/runs/timeline-view.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { createPlace } from '../state/place.ts';
import { createRunPage } from '../state/runs/run-page.ts';
import { words } from '../words.ts';

type Name = 'conversation' | 'timeline' | 'decisions' | 'events';

const views: readonly [View<Name>, ...View<Name>[]] = [
  { name: 'conversation', label: words.run.views.conversation },
  { name: 'timeline', label: words.run.views.timeline },
  { name: 'decisions', label: words.run.views.decisions },
  { name: 'events', label: words.run.views.events },
];

/** One run, in four views of one truth. */
export function RunPage() {
  const params = useParams<{ id: string }>();
  const navigate = useNavigate();
  const viewer = useViewer();
  const page = createRunPage(
    useApp(),
    () => params.id,
    (path) => navigate(path),
  );
  const view = createView(views);
  createPlace(
    () => page.run()?.question.slice(0, 80) ?? words.run.crumb,
    () => [{ label: words.runs.title, href: '/runs' }],
    () => words.run.crumb,
  );
  /** Anew for another run, but not when something of this one has changed. */
  const id = () => page.run()?.id;

  return (
    <LoadView state={page.state()} onRetry={() => void page.reload()}>
      {() => (
        <Show when={id()} keyed fallback={<Missing />}>
          <Show when={page.run()}>
            {(run) => {
              const mine = () => run().user.id === viewer().id;
              return (
                <>
                  <RunHeader page={page} run={run()} mine={mine()} />
                  <ViewTabs label={words.run.views.label} views={views} current={view()} />
                  <Switch>
                    <Match when={view() === 'conversation'}>
                      <RunConversation page={page} run={run()} mine={mine()} />
                    </Match>
                    <Match when={view() === 'timeline'}>
                      <TimelineView page={page} run={run()} />
                    </Match>
                    <Match when={view() === 'decisions'}>
                      <DecisionsGrid page={page} run={run()} />
                    </Match>
                    <Match when={view() === 'events'}>
                      <EventsView page={page} run={run()} />
                    </Match>
                  </Switch>
                </>
              );
            }}
          </Show>
        </Show>
      )}
    </LoadView>
  );
}

function Missing() {
  return (
    <div class="mx-auto flex max-w-lg flex-col items-center gap-3 px-6 py-20 text-center">
      <Compass class="size-7 text-faint" aria-hidden="true" />
      <h1 class="text-lg font-semibold">{words.run.missing}</h1>
      <p class="text-muted">{words.run.missingText}</p>
      <A href="/runs" class={buttonClass('secondary')}>
        {words.run.toRuns}
      </A>
    </div>
  );
}
