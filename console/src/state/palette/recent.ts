/** What was chosen before, newest first; under the chat's prefix, so that signing out forgets it too. */
const key = (userId: string) => `oracle-chat:chosen:${userId}`;
const mostRemembered = 20;

export interface Chosen {
  readonly id: string;
  /** For things that only the server knows: enough to show and open them again. */
  readonly label?: string;
  readonly href?: string;
}

export function readChosen(userId: string): readonly Chosen[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isChosen) : [];
  } catch {
    return [];
  }
}

export function rememberChosen(userId: string, chosen: Chosen): void {
  const others = readChosen(userId).filter(({ id }) => id !== chosen.id);
  try {
    localStorage.setItem(key(userId), JSON.stringify([chosen, ...others].slice(0, mostRemembered)));
  } catch {
    // Without storage the palette has no memory.
  }
}

/** Only what this console may have written, and only addresses within it. */
function isChosen(value: unknown): value is Chosen {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return false;
  if ('label' in value && typeof value.label !== 'string') return false;
  return !('href' in value) || (typeof value.href === 'string' && /^\/(?!\/)/.test(value.href));
}
