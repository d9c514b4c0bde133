import Check from 'lucide-solid/icons/check';
import CircleAlert from 'lucide-solid/icons/circle-alert';
import X from 'lucide-solid/icons/x';
import { For, onCleanup, onMount, Show } from 'solid-js';
import type { Toast, Toasts } from '../../state/toasts.ts';
import { isTyping, isUndo } from '../../state/typing.ts';
import { words } from '../../words.ts';
import { Button, IconButton } from './button.tsx';

/** Messages at the edge of the screen. The region is always there, so that what appears in it is read out. */
export function ToastsView(props: { readonly toasts: Toasts }) {
  let region: HTMLElement | undefined;

  function keydown(event: KeyboardEvent) {
    if (event.defaultPrevented || !isUndo(event) || isTyping(event.target)) return;
    if (props.toasts.undoNewest()) event.preventDefault();
  }
  const visibility = () => (document.hidden ? props.toasts.hold('hidden') : props.toasts.release('hidden'));
  onMount(() => {
    addEventListener('keydown', keydown);
    document.addEventListener('visibilitychange', visibility);
  });
  onCleanup(() => {
    removeEventListener('keydown', keydown);
    document.removeEventListener('visibilitychange', visibility);
  });

  function dismiss(toast: Toast) {
    props.toasts.dismiss(toast.id);
    findFocus();
  }

  async function undo(toast: Toast) {
    await props.toasts.undo(toast.id);
    findFocus();
  }

  /** The focus of a message that is gone goes on to the next, or back to the page, never to nowhere. */
  function findFocus() {
    if (document.activeElement !== document.body) return;
    props.toasts.release('focus');
    const next = region?.querySelector<HTMLElement>('button') ?? document.getElementById('main');
    next?.focus({ preventScroll: true });
  }

  return (
    <section
      ref={region}
      aria-label={words.toasts.label}
      class="pointer-events-none fixed inset-x-3 bottom-18 z-60 flex flex-col items-end gap-2 sm:inset-x-auto sm:right-4 sm:bottom-4"
      onPointerEnter={() => props.toasts.hold('pointer')}
      onPointerLeave={() => props.toasts.release('pointer')}
      onFocusIn={() => props.toasts.hold('focus')}
      onFocusOut={() => props.toasts.release('focus')}
    >
      <div role="status" aria-live="polite" class="contents">
        <For each={props.toasts.shown()}>
          {(toast) => <ToastView toast={toast} onUndo={() => void undo(toast)} onDismiss={() => dismiss(toast)} />}
        </For>
      </div>
    </section>
  );
}

interface ToastViewProps {
  readonly toast: Toast;
  readonly onUndo: () => void;
  readonly onDismiss: () => void;
}

function ToastView(props: ToastViewProps) {
  const failed = () => props.toast.tone === 'failure';
  return (
    // The buttons inside have the focus; their keys arrive here.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      data-toast={props.toast.tone}
      class="pointer-events-auto flex w-full max-w-md items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-raised sm:w-auto sm:min-w-72 starting:translate-y-1 starting:opacity-0 transition"
      classList={{ 'border-failure-line': failed() }}
      // Escape closes the message that has the focus; elsewhere it belongs to the page.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        event.preventDefault();
        props.onDismiss();
      }}
    >
      <Show when={failed()} fallback={<Check class="size-4 shrink-0 text-success" aria-hidden="true" />}>
        <CircleAlert class="size-4 shrink-0 text-failure" aria-hidden="true" />
      </Show>
      <p class="line-clamp-3 min-w-0 grow py-1 wrap-anywhere" dir="auto">
        {props.toast.text}
      </p>
      <Show when={props.toast.undo}>
        <Button
          size="small"
          variant="ghost"
          class="text-accent-text!"
          title={words.toasts.undoHint}
          aria-disabled={props.toast.undoing()}
          onClick={() => props.onUndo()}
        >
          {props.toast.undoing() ? words.toasts.undoing : words.toasts.undo}
        </Button>
      </Show>
      <IconButton label={words.toasts.dismiss} class="size-7!" onClick={() => props.onDismiss()}>
        <X class="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}
