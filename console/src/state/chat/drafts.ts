/** What a person was about to ask, for each conversation, and what they asked before. Kept in this browser only. */
const prefix = 'oracle-chat:';
const mostRemembered = 50;

export function readDraft(userId: string, conversationId: string | undefined): string {
  return read(draftKey(userId, conversationId)) ?? '';
}

export function keepDraft(userId: string, conversationId: string | undefined, text: string): void {
  write(draftKey(userId, conversationId), text === '' ? undefined : text);
}

/** Oldest first. */
export function readAsked(userId: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(read(`${prefix}asked:${userId}`) ?? '[]');
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberAsked(userId: string, question: string): void {
  const others = readAsked(userId).filter((entry) => entry !== question);
  write(`${prefix}asked:${userId}`, JSON.stringify([...others, question].slice(-mostRemembered)));
}

/** Nothing of it is left for the next person at this screen. */
export function forgetChat(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}

function draftKey(userId: string, conversationId: string | undefined): string {
  return `${prefix}draft:${userId}:${conversationId ?? 'new'}`;
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, or with a full one, it lasts as long as the page.
  }
}
