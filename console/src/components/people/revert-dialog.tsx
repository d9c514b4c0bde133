import { For, Match, Show, Switch } from 'solid-js';
import type { Change } from '../../state/change-pages.ts';
import type { HistorySource } from '../../state/history.ts';
import { createRevert, type Side } from '../../state/revert.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';
import { Bar } from '../basics/skeleton.tsx';
import { DifferencesTable } from './differences-table.tsx';

const said = words.history;
const sides: readonly Side[] = ['before', 'after'];

interface RevertDialogProps {
  readonly source: HistorySource;
  /** The change to go back to; undefined while it is closed. */
  readonly change: Change | undefined;
  readonly onClose: () => void;
}

export function RevertDialog(props: RevertDialogProps) {
  return (
    <Dialog open={props.change !== undefined} onClose={() => props.onClose()} wide title={said.revertTitle}>
      <Show when={props.change} keyed>
        {(change) => <Revert source={props.source} change={change} onClose={() => props.onClose()} />}
      </Show>
    </Dialog>
  );
}

function Revert(props: RevertDialogProps & { readonly change: Change }) {
  const revert = createRevert(props.source, props.change, () => props.onClose());
  const ready = () => {
    const preview = revert.preview();
    return preview.type === 'ready' ? preview.found : undefined;
  };
  const refused = () => {
    const preview = revert.preview();
    return preview.type === 'refused' ? preview.messages : undefined;
  };
  const heading = () =>
    revert.side() === 'before' ? said.revertBefore(props.change.version) : said.revertAfter(props.change.version);

  return (
    <div class="flex flex-col gap-4">
      <fieldset class="flex flex-wrap gap-x-5 gap-y-2">
        <legend class="sr-only">{said.revertTitle}</legend>
        <For each={sides}>
          {(side) => (
            <label class="flex items-center gap-2">
              <input
                type="radio"
                name="side"
                class="size-4 accent-accent"
                checked={revert.side() === side}
                onChange={() => void revert.choose(side)}
              />
              {said[side]}
            </label>
          )}
        </For>
      </fieldset>
      <p role="alert" class="text-sm text-failure empty:hidden">
        {revert.notice()}
      </p>
      <p class="text-muted">{heading()}</p>
      <Switch fallback={<Bar class="h-16 w-full" />}>
        <Match when={refused()}>
          {(messages) => (
            <ul role="alert" class="list-disc pl-5 text-failure">
              <For each={messages()}>{(message) => <li>{message}</li>}</For>
            </ul>
          )}
        </Match>
        <Match when={ready()}>
          {(found) => (
            <Show when={found().differences.length > 0} fallback={<p>{said.nothing}</p>}>
              <div class="max-h-[50vh] overflow-y-auto rounded-lg border border-line">
                <DifferencesTable
                  differences={found().differences}
                  from={said.differenceColumns.now}
                  to={said.differenceColumns.earlier}
                />
              </div>
            </Show>
          )}
        </Match>
      </Switch>
      <div class="flex justify-end gap-2">
        <Button onClick={() => props.onClose()}>{said.cancel}</Button>
        <Button
          variant="primary"
          disabled={revert.busy() || (ready()?.differences.length ?? 0) === 0}
          onClick={() => void revert.apply()}
        >
          {revert.busy() ? said.working : said.confirm}
        </Button>
      </div>
    </div>
  );
}
