import { CodeDefinitionsDocument, CodeReferencesDocument } from '@oracle-agent/sdk/documents';
import { createResource, createSignal, For, type JSX, Show } from 'solid-js';
import { useApp } from '../../state/app-context.ts';
import { query } from '../../state/graphql-client.ts';
import { codeAddress } from '../../state/knowledge/addresses.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { inputClass } from '../basics/text-field.tsx';

interface CodeNamesProps {
  readonly name: string | undefined;
  readonly project: string | undefined;
  readonly onFind: (name: string) => void;
}

/** Where a name is defined, and where it is used. */
export function CodeNames(props: CodeNamesProps) {
  const { session } = useApp();
  const [typed, setTyped] = createSignal<string>();
  const variables = () => ({
    name: props.name ?? '',
    limit: 50,
    ...(props.project ? { projectId: props.project } : {}),
  });
  const [found] = createResource(
    () => (props.name ? variables() : undefined),
    async (wanted) => {
      const [definitions, references] = await Promise.all([
        query(session.client, CodeDefinitionsDocument, wanted),
        query(session.client, CodeReferencesDocument, wanted),
      ]);
      if (definitions.type === 'failed') return definitions;
      if (references.type === 'failed') return references;
      return { type: 'data' as const, ...definitions.data, ...references.data };
    },
  );
  const data = () => {
    const now = found.latest;
    return props.name && now?.type === 'data' ? now : undefined;
  };
  const href = (path: string, line: number) => {
    const address = codeAddress(path, line, props.project);
    return `${address}&name=${encodeURIComponent(props.name ?? '')}`;
  };

  return (
    <div class="mb-4 rounded-lg border border-line bg-surface">
      <form
        class="flex gap-2 p-3"
        onSubmit={(event) => {
          event.preventDefault();
          props.onFind((typed() ?? props.name ?? '').trim());
        }}
      >
        <input
          type="text"
          aria-label={words.code.find}
          placeholder={words.code.find}
          autocomplete="off"
          spellcheck={false}
          class={`${inputClass} font-mono`}
          value={props.name ?? ''}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit">{words.code.findAction}</Button>
      </form>
      <Show when={data()}>
        {(names) => (
          <div class="grid gap-4 border-t border-line px-3 py-3 text-sm md:grid-cols-2">
            <Part title={words.code.definitions(names().codeDefinitions.totalCount)}>
              <For each={names().codeDefinitions.definitions}>
                {(one) => (
                  <Place
                    href={href(one.path, one.symbol.line)}
                    path={one.path}
                    line={one.symbol.line}
                    text={one.symbol.signature}
                  />
                )}
              </For>
            </Part>
            <Part title={words.code.references(names().codeReferences.totalCount)}>
              <For each={names().codeReferences.references}>
                {(one) => (
                  <Place
                    href={href(one.path, one.line)}
                    path={one.path}
                    line={one.line}
                    text={one.text.trim()}
                    {...(one.within ? { within: one.within } : {})}
                  />
                )}
              </For>
            </Part>
            <Show when={names().codeDefinitions.totalCount === 0 && names().codeDefinitions.nearest.length > 0}>
              <p class="flex flex-wrap items-center gap-2 text-muted md:col-span-2">
                {words.code.nearest}
                <For each={names().codeDefinitions.nearest}>
                  {(name) => (
                    <button
                      type="button"
                      class="rounded font-mono text-accent-text hover:underline"
                      onClick={() => props.onFind(name)}
                    >
                      {name}
                    </button>
                  )}
                </For>
              </p>
            </Show>
          </div>
        )}
      </Show>
    </div>
  );
}

function Part(props: { readonly title: string; readonly children: JSX.Element }) {
  return (
    <section class="min-w-0">
      <h2 class="mb-1 font-medium text-muted">{props.title}</h2>
      <ul tabindex="0" class="max-h-60 overflow-y-auto">
        {props.children}
      </ul>
    </section>
  );
}

interface PlaceProps {
  readonly href: string;
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly within?: string;
}

function Place(props: PlaceProps) {
  return (
    <li>
      <a href={props.href} class="flex flex-col rounded-md px-2 py-1 hover:bg-sunken">
        <span class="truncate text-xs text-muted">
          <bdi>{props.path}</bdi> · {words.code.line(props.line)}
          <Show when={props.within}>{(within) => <> · {words.code.within(within())}</>}</Show>
        </span>
        <code class="truncate font-mono text-xs" dir="ltr">
          {props.text}
        </code>
      </a>
    </li>
  );
}
