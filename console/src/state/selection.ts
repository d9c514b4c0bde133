import { createSignal } from 'solid-js';

/** Rows that were chosen one by one, or everything that matches, seen or not. */
export type Selection =
  | { readonly type: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly type: 'all-matching'; readonly count: number };

export const nothingSelected: Selection = { type: 'some', ids: new Set() };

export function sizeOf(selection: Selection): number {
  return selection.type === 'some' ? selection.ids.size : selection.count;
}

export function isSelected(selection: Selection, id: string): boolean {
  return selection.type === 'all-matching' || selection.ids.has(id);
}

/** Taking one row out of "everything that matches" leaves the rows in sight that were not taken out. */
export function withRow(selection: Selection, id: string, chosen: boolean, inSight: readonly string[]): Selection {
  const ids = new Set(selection.type === 'some' ? selection.ids : inSight);
  if (chosen) ids.add(id);
  else ids.delete(id);
  return { type: 'some', ids };
}

export function withPage(selection: Selection, inSight: readonly string[], chosen: boolean): Selection {
  if (selection.type === 'all-matching') return chosen ? selection : nothingSelected;
  const ids = new Set(selection.ids);
  for (const id of inSight) chosen ? ids.add(id) : ids.delete(id);
  return { type: 'some', ids };
}

/** How the box for the whole page stands: for all, for none, or for some of it. */
export function pageState(selection: Selection, inSight: readonly string[]): 'none' | 'some' | 'all' {
  const chosen = inSight.filter((id) => isSelected(selection, id)).length;
  return chosen === 0 ? 'none' : chosen === inSight.length ? 'all' : 'some';
}

export function createSelection() {
  const [selection, setSelection] = createSignal<Selection>(nothingSelected);
  return {
    selection,
    size: () => sizeOf(selection()),
    has: (id: string) => isSelected(selection(), id),
    pageState: (inSight: readonly string[]) => pageState(selection(), inSight),
    setRow: (id: string, chosen: boolean, inSight: readonly string[]) =>
      setSelection((now) => withRow(now, id, chosen, inSight)),
    setPage: (inSight: readonly string[], chosen: boolean) => setSelection((now) => withPage(now, inSight, chosen)),
    selectAllMatching: (count: number) => setSelection({ type: 'all-matching', count }),
    /** Forgets whatever is no longer among these. */
    keep: (present: ReadonlySet<string>) =>
      setSelection((now) =>
        now.type === 'some' && [...now.ids].some((id) => !present.has(id))
          ? { type: 'some', ids: new Set([...now.ids].filter((id) => present.has(id))) }
          : now,
      ),
    clear: () => setSelection(nothingSelected),
  };
}

export type SelectionState = ReturnType<typeof createSelection>;
