import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { useChat } from '../../state/chat/chat.ts';
import type { Prunable } from '../../state/chat/tree-actions.ts';
import { words } from '../../words.ts';
import { Button } from '../basics/button.tsx';
import { Dialog } from '../basics/dialog.tsx';

/** Shows what would go before anything does. */
export function PruneDialog(props: { readonly open: boolean; readonly onClose: () => void }) {
  const chat = useChat();
  const [found, setFound] = createSignal<Prunable>();
  const [problem, setProblem] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  const id = () => chat.conversation.id() ?? '';

  createEffect(
    on(
      () => props.open,
      async (open) => {
        setFound(undefined);
        setProblem(undefined);
        if (!open) return;
        const preview = await chat.actions.previewPrune(id());
        if (typeof preview === 'string') setProblem(preview);
        else setFound(() => preview);
      },
    ),
  );

  async function prune() {
    setBusy(true);
    const failed = await chat.actions.prune(id());
    setBusy(false);
    setProblem(failed);
    if (failed === undefined) props.onClose();
  }

  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={words.prune.title}
      description={words.prune.text}
      role="alertdialog"
    >
      <p role="alert" class="mb-3 text-failure empty:hidden">
        {problem()}
      </p>
      <Show when={found()}>
        {(preview) => (
          <Show when={preview().count > 0} fallback={<p>{words.prune.nothing}</p>}>
            <p class="font-medium">{words.prune.list(preview().count)}</p>
            <ul class="mt-2 max-h-60 list-disc overflow-y-auto pl-5 text-sm">
              <For each={preview().exchanges}>
                {(exchange) => (
                  <li class="wrap-anywhere" dir="auto">
                    {exchange.question.slice(0, 200)}
                    <Show when={exchange.label}>{(label) => <span class="text-muted"> · {label()}</span>}</Show>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )}
      </Show>
      <div class="mt-4 flex justify-end gap-2">
        <Button variant="ghost" onClick={() => props.onClose()}>
          {words.prune.cancel}
        </Button>
        <Show when={(found()?.count ?? 0) > 0}>
          <Button variant="danger" disabled={busy()} onClick={() => void prune()}>
            {words.prune.confirm(found()?.count ?? 0)}
          </Button>
        </Show>
      </div>
    </Dialog>
  );
}
