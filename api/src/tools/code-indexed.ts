import type { CodeIndex } from '../code/code.ts';

/** Nothing found and nothing there are two answers, and only the second is a reason to stop looking. */
export async function assertIndexed(code: CodeIndex, projectId: string): Promise<void> {
  if (await code.isEmpty(projectId))
    throw new Error(
      'No code is indexed in this project: code tools find nothing here. It comes in by the import command.',
    );
}

export function missingName(name: string, nearest: readonly string[]): string {
  const guess = nearest.length === 0 ? 'Use search_code.' : `Did you mean ${nearest.join(' or ')}?`;
  return `There is no definition of "${name}". ${guess}`;
}
