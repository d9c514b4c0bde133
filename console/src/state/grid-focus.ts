/** A place in a grid: both count from 0. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/**
 * Where a key leads in a grid whose rows have so many cells each; undefined for keys that mean nothing there. Nobody
 * falls off an edge: at one, the place stays what it is.
 */
export function moveInGrid(
  place: GridPlace,
  key: string,
  lengths: readonly number[],
  withControl = false,
): GridPlace | undefined {
  const within = (row: number, column: number): GridPlace => {
    const inRow = Math.min(Math.max(0, row), Math.max(0, lengths.length - 1));
    const last = Math.max(0, (lengths[inRow] ?? 0) - 1);
    return { row: inRow, column: Math.min(Math.max(0, column), last) };
  };
  const { row, column } = place;
  const end = Number.MAX_SAFE_INTEGER;
  switch (key) {
    case 'ArrowUp':
      return within(row - 1, column);
    case 'ArrowDown':
      return within(row + 1, column);
    case 'ArrowLeft':
      return within(row, column - 1);
    case 'ArrowRight':
      return within(row, column + 1);
    case 'PageUp':
      return within(row - 10, column);
    case 'PageDown':
      return within(row + 10, column);
    case 'Home':
      return withControl ? within(0, 0) : within(row, 0);
    case 'End':
      return withControl ? within(lengths.length - 1, end) : within(row, end);
    default:
      return undefined;
  }
}
