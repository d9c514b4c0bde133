import Check from 'lucide-solid/icons/check';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import LoaderCircle from 'lucide-solid/icons/loader-circle';
import { Match, Show, Switch } from 'solid-js';
import type { FieldState } from '../../state/field-state.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';

interface FieldStatusProps {
  readonly title: string;
  readonly state: FieldState;
  readonly canUndo: boolean;
  readonly onUndo: () => void;
}

/** How the last change fares: always in the same place, so that nothing jumps. */
export function FieldStatus(props: FieldStatusProps) {
  return (
    <span class="flex h-6 items-center justify-end gap-2 text-xs">
      <span role="status" class="flex items-center gap-1 font-medium">
        <Switch>
          <Match when={props.state.type === 'waiting' || props.state.type === 'saving'}>
            <LoaderCircle class="size-3 animate-spin text-muted" aria-hidden="true" />
            <span class="text-muted">{words.settings.saving}</span>
          </Match>
          <Match when={props.state.type === 'saved'}>
            <span class="text-success">{words.settings.saved}</span>
            <Check class="size-3 text-success" aria-hidden="true" />
          </Match>
        </Switch>
      </span>
      <Show when={props.canUndo && (props.state.type === 'saved' || props.state.type === 'idle')}>
        <button
          type="button"
          class="h-6 rounded px-1 font-medium text-accent-text hover:underline"
          aria-label={words.settings.undoOf(props.title)}
          onClick={() => props.onUndo()}
        >
          {words.settings.undo}
        </button>
      </Show>
    </span>
  );
}

/** Why a value is not saved, in a sentence, with Retry where trying again may help. */
export function FieldProblem(props: { readonly id: string; readonly state: FieldState; readonly onRetry: () => void }) {
  const message = () => {
    const { state } = props;
    if (state.type === 'failed') return words.settings.notSaved(state.message);
    return state.type === 'invalid' || state.type === 'rejected' ? state.message : undefined;
  };
  return (
    <div id={props.id} role="alert" class="text-sm text-failure empty:hidden">
      <Show when={message()}>
        {(text) => (
          <span class="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
            <CircleAlert class="size-4 shrink-0" aria-hidden="true" />
            <span class="min-w-0 wrap-anywhere">{text()}</span>
            <Show when={props.state.type === 'failed'}>
              <Button size="small" onClick={() => props.onRetry()}>
                {words.frame.retry}
              </Button>
            </Show>
          </span>
        )}
      </Show>
    </div>
  );
}
