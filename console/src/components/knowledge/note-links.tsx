import { A } from '@solidjs/router';
import { For, type JSX, Show } from 'solid-js';
import { noteAddress } from '../../state/knowledge/addresses.ts';
import { words } from '../../words.ts';
import type { OpenNote } from './note-view.tsx';

/** What a note links to and what links to it. */
export function NoteLinks(props: { readonly note: OpenNote; readonly project: string | undefined }) {
  const link = (path: string, title: string) => (
    <A href={noteAddress(path, props.project)} class="rounded text-accent-text hover:underline" dir="auto">
      {title}
    </A>
  );
  return (
    <Show when={props.note.links.length > 0 || props.note.backlinks.totalCount > 0}>
      <footer class="grid gap-4 border-t border-line px-4 py-3 text-sm sm:grid-cols-2 sm:px-5">
        <Part title={words.notes.backlinks} shown={props.note.backlinks.totalCount > 0}>
          <For each={props.note.backlinks.edges}>
            {({ node }) => <li class="wrap-anywhere">{link(node.path, node.title)}</li>}
          </For>
        </Part>
        <Part title={words.notes.links} shown={props.note.links.length > 0}>
          <For each={props.note.links}>
            {(one) => (
              <li class="wrap-anywhere">
                <Show
                  when={one.note}
                  fallback={
                    <span class="text-muted">
                      <bdi>{one.target}</bdi> · {words.notes.unresolved}
                    </span>
                  }
                >
                  {(target) => link(target().path, target().title)}
                </Show>
              </li>
            )}
          </For>
        </Part>
      </footer>
    </Show>
  );
}

function Part(props: { readonly title: string; readonly shown: boolean; readonly children: JSX.Element }) {
  return (
    <Show when={props.shown}>
      <section>
        <h3 class="mb-1 font-medium text-muted">{props.title}</h3>
        <ul class="flex flex-col gap-1">{props.children}</ul>
      </section>
    </Show>
  );
}
