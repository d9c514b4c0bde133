import { createEffect, createSignal, on } from 'solid-js';
import { keepDraft, readAsked, readDraft } from './drafts.ts';

export const longestQuestion = 32_000;

export type Composer = ReturnType<typeof createComposer>;

/** What is being written: kept for each conversation, with earlier questions an arrow key away. */
export function createComposer(
  userId: string,
  conversationId: () => string | undefined,
  earlier: () => readonly string[],
) {
  const [text, setText] = createSignal('');
  /** How far back in what was asked before; 0 is what is being written now. */
  let back = 0;
  let unsent = '';

  createEffect(
    on(conversationId, (now) => {
      back = 0;
      setText(readDraft(userId, now));
    }),
  );

  function write(next: string) {
    back = 0;
    keep(next);
  }

  function keep(next: string) {
    setText(next);
    keepDraft(userId, conversationId(), next);
  }

  /** True when there was something to recall. */
  function recall(step: 1 | -1): boolean {
    const known = [...new Set([...readAsked(userId), ...earlier()].reverse())];
    const target = back + step;
    if (target < 0 || target > known.length) return false;
    if (back === 0) unsent = text();
    back = target;
    keep(target === 0 ? unsent : (known[target - 1] ?? ''));
    return true;
  }

  return { text, write, recall, recalling: () => back > 0 };
}
