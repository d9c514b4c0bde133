import { words } from '../../words.ts';
import type { Toasts } from '../toasts.ts';
import type { Conversation } from './conversation.ts';
import type { makeTreeActions, Problem } from './tree-actions.ts';

type TreeActions = ReturnType<typeof makeTreeActions>;

/** The same actions, each of which says that it is done and, where there is one, offers the way back. */
export function makeUndoableActions(
  actions: TreeActions,
  conversation: Pick<Conversation, 'title' | 'headId' | 'nodes'>,
  toasts: Pick<Toasts, 'show'>,
): TreeActions {
  /** Only what succeeded is told; a problem is for whoever asked. */
  async function told(done: Promise<Problem>, text: string, undo?: () => Promise<Problem>): Promise<Problem> {
    const problem = await done;
    if (problem === undefined) toasts.show({ text, ...(undo ? { undo } : {}) });
    return problem;
  }
  const exchange = (id: string) => conversation.nodes().find((node) => node.id === id);

  return {
    ...actions,
    rename(id, title) {
      const before = conversation.title();
      const undo = before === '' ? undefined : () => actions.rename(id, before);
      return told(actions.rename(id, title), words.toasts.renamed(title.trim()), undo);
    },
    label(id, exchangeId, label) {
      const before = exchange(exchangeId)?.label ?? '';
      return told(actions.label(id, exchangeId, label), words.toasts.labelled, () =>
        actions.label(id, exchangeId, before),
      );
    },
    checkpoint(id, exchangeId, checkpoint) {
      const text = checkpoint ? words.toasts.checkpointSet : words.toasts.checkpointCleared;
      return told(actions.checkpoint(id, exchangeId, checkpoint), text, () =>
        actions.checkpoint(id, exchangeId, !checkpoint),
      );
    },
    checkout(id, exchangeId) {
      const before = conversation.headId();
      const undo = before === null ? undefined : () => actions.checkout(id, before);
      return told(actions.checkout(id, exchangeId), words.toasts.headMoved, undo);
    },
    remove(id) {
      return told(actions.remove(id), words.toasts.deleted(conversation.title() || words.list.untitled));
    },
    async prune(id) {
      const before = conversation.nodes().length;
      const problem = await actions.prune(id);
      const gone = before - conversation.nodes().length;
      if (problem === undefined && gone > 0) toasts.show({ text: words.prune.done(gone) });
      return problem;
    },
  };
}
