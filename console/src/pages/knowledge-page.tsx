import { useNavigate, useParams, useSearchParams } from '@solidjs/router';
import { For, Match, Show, Switch } from 'solid-js';
import { LoadView } from '../components/basics/load-view.tsx';
import { EmptyNotice } from '../components/basics/notice.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { CodeSection } from '../components/knowledge/code-section.tsx';
import { ImportSection } from '../components/knowledge/import-section.tsx';
import { NotesSection } from '../components/knowledge/notes-section.tsx';
import { ProjectBar } from '../components/knowledge/project-bar.tsx';
import { ThreadsSection } from '../components/knowledge/threads-section.tsx';
import { useApp } from '../state/app-context.ts';
import { type KnowledgeSection, pathIn, sectionAddress } from '../state/knowledge/addresses.ts';
import { createProjects } from '../state/knowledge/projects.ts';
import { createPlace } from '../state/place.ts';
import { toasts } from '../state/toasts.ts';
import { words } from '../words.ts';
import { NotFoundNotice } from './not-found-page.tsx';

const sections: readonly KnowledgeSection[] = ['notes', 'threads', 'code', 'import'];

/** What runs can search and read. The section and what is open in it are the path, the project is in the query. */
export function KnowledgePage() {
  const { session } = useApp();
  const params = useParams<{ section?: string; path?: string }>();
  const [search] = useSearchParams<{ project: string }>();
  const navigate = useNavigate();
  const projects = createProjects(session.client, () => search.project, toasts);
  const section = () => (params.section === undefined ? 'notes' : sections.find((one) => one === params.section));
  const path = () => (params.path ? pathIn(params.path) : undefined);
  const title = () => {
    const now = section();
    return now === undefined ? words.knowledge.title : words.knowledge.sections[now];
  };
  createPlace(
    () => path() ?? title(),
    () => [{ label: words.knowledge.title, href: sectionAddress('notes', search.project) }],
    title,
  );

  return (
    <Show when={section()} fallback={<NotFoundNotice what="page" />}>
      {(now) => (
        <div class="mx-auto max-w-7xl">
          <PageHeader
            title={words.knowledge.title}
            description={words.knowledge.description}
            actions={<ProjectBar projects={projects} onChoose={(id) => navigate(sectionAddress(now(), id))} />}
          />
          <nav aria-label={words.knowledge.parts} class="mb-5 border-b border-line">
            <ul class="-mb-px flex gap-5 overflow-x-auto">
              <For each={sections}>
                {(one) => (
                  <li>
                    <a
                      href={sectionAddress(one, search.project)}
                      noScroll
                      aria-current={one === now() ? 'page' : undefined}
                      class="flex h-9 items-center border-b-2 border-transparent font-medium whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
                    >
                      {words.knowledge.sections[one]}
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </nav>
          <LoadView state={projects.state()} onRetry={() => void projects.reload()}>
            {() => (
              <Show
                when={projects.chosen()}
                fallback={<EmptyNotice title={words.knowledge.missingProject} text={words.frame.notFound.text} />}
              >
                {(project) => (
                  <Switch>
                    <Match when={now() === 'notes'}>
                      <NotesSection project={search.project} path={path()} />
                    </Match>
                    <Match when={now() === 'threads'}>
                      <ThreadsSection project={search.project} threadId={path()} />
                    </Match>
                    <Match when={now() === 'code'}>
                      <CodeSection project={search.project} path={path()} />
                    </Match>
                    <Match when={now() === 'import'}>
                      <ImportSection project={search.project} projectName={project().name} />
                    </Match>
                  </Switch>
                )}
              </Show>
            )}
          </LoadView>
        </div>
      )}
    </Show>
  );
}
