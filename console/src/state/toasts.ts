import { createSignal } from 'solid-js';
import { words } from '../words.ts';

export interface ToastRequest {
  readonly text: string;
  /** Takes back what was done; answers why that was not possible, or with nothing. */
  readonly undo?: () => Promise<string | undefined>;
  /** What went wrong stays until somebody has dismissed it. */
  readonly tone?: 'done' | 'failure';
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'failure';
  readonly undo?: () => Promise<string | undefined>;
  /** Being taken back right now. */
  readonly undoing: () => boolean;
}

/** Long enough to read twice; longer where there is something to decide. */
const shownMs = { plain: 5_000, undoable: 10_000 };
const mostAtOnce = 4;

export type Toasts = ReturnType<typeof createToasts>;

/** Short messages about what was just done, newest last, each with a way back where there is one. */
export function createToasts() {
  const [shown, setShown] = createSignal<readonly Toast[]>([]);
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const held = new Set<string>();
  let made = 0;

  function show(request: ToastRequest): number {
    const id = ++made;
    const { text, undo, tone = 'done' } = request;
    const [undoing, setUndoing] = createSignal(false);
    const toast: Toast = {
      id,
      text,
      tone,
      undoing,
      ...(undo && {
        undo: () => {
          setUndoing(true);
          return undo();
        },
      }),
    };
    for (const old of shown().slice(0, Math.max(0, shown().length + 1 - mostAtOnce))) dismiss(old.id);
    setShown((now) => [...now, toast]);
    wait(toast);
    return id;
  }

  function dismiss(id: number) {
    clearTimeout(timers.get(id));
    timers.delete(id);
    setShown((now) => now.filter((toast) => toast.id !== id));
  }

  /** The clock stands still while somebody reads: nothing goes away under a pointer or a focus. */
  function hold(by: string) {
    held.add(by);
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }

  function release(by: string) {
    if (!held.delete(by) || held.size > 0) return;
    for (const toast of shown()) wait(toast);
  }

  function wait(toast: Toast) {
    if (held.size > 0 || toast.tone === 'failure' || toast.undoing()) return;
    clearTimeout(timers.get(toast.id));
    timers.set(
      toast.id,
      setTimeout(() => dismiss(toast.id), toast.undo ? shownMs.undoable : shownMs.plain),
    );
  }

  /** Takes back what a message told; a second press while that goes on does nothing. */
  async function undo(id: number): Promise<void> {
    const toast = shown().find((one) => one.id === id);
    if (!toast?.undo || toast.undoing()) return;
    clearTimeout(timers.get(id));
    const problem = await toast.undo().catch(() => words.frame.wentWrong);
    dismiss(id);
    if (problem === undefined) show({ text: words.toasts.undone });
    else show({ text: words.toasts.notUndone(problem), tone: 'failure' });
  }

  const newestUndoable = () => shown().findLast((toast) => toast.undo && !toast.undoing());

  return {
    shown,
    show,
    dismiss,
    hold,
    release,
    undo,
    /** False when there is nothing to take back. */
    undoNewest(): boolean {
      const toast = newestUndoable();
      if (toast) void undo(toast.id);
      return toast !== undefined;
    },
    clear() {
      for (const { id } of shown()) dismiss(id);
    },
  };
}

/** There is one place for messages, whichever page they come from. */
export const toasts = createToasts();
