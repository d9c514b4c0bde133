import { createUniqueId, For, Show } from 'solid-js';
import { createAllowedModels } from '../../state/allowed-models.ts';
import { useApp } from '../../state/app-context.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { LoadView } from '../basics/load-view.tsx';
import { SettingsCard } from './settings-card.tsx';

const said = words.organisation.models;

/** Which models may answer, as a list that is typed. */
export function AllowedModelsCard() {
  const { session, live } = useApp();
  const list = createAllowedModels(session.client, live);
  const id = createUniqueId();
  return (
    <SettingsCard name={said.title}>
      <div class="flex flex-col gap-2 px-4 py-3 sm:px-5">
        <LoadView state={list.state()} onRetry={() => void list.reload()}>
          {(data) => (
            <>
              <label for={id} class="text-muted">
                {said.help}
              </label>
              <textarea
                id={id}
                rows={4}
                spellcheck={false}
                placeholder={said.placeholder}
                aria-invalid={list.problems().length > 0 ? 'true' : undefined}
                aria-describedby={`${id}-problems`}
                class="w-full rounded-md border border-control bg-surface px-2.5 py-1.5 font-mono text-sm placeholder:text-faint aria-invalid:border-failure"
                value={list.text()}
                onInput={(event) => list.type(event.currentTarget.value)}
              />
              <ul id={`${id}-problems`} role="alert" class="text-sm text-failure empty:hidden">
                <For each={list.problems()}>{(message) => <li>{message}</li>}</For>
              </ul>
              <div class="flex flex-wrap items-center justify-between gap-2">
                <p role="status" class="text-sm text-muted">
                  {said.count(data().models.filter(({ allowed }) => allowed).length, data().models.length)}
                </p>
                <Show when={list.changed()}>
                  <Button variant="primary" disabled={list.busy()} onClick={() => void list.save()}>
                    {list.busy() ? words.settings.saving : said.save}
                  </Button>
                </Show>
              </div>
            </>
          )}
        </LoadView>
      </div>
    </SettingsCard>
  );
}
