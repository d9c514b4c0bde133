/**
 * One chunk of a chat completion as servers send it: everything may be missing, null or of another type, so nothing is
 * trusted. Checked by hand where it is read: a schema per delta would cost more than all the rest.
 */
export interface ChatChunk {
  readonly error?: unknown;
  readonly usage?: unknown;
  readonly choices?: unknown;
}

export type Loose = Readonly<Record<string, unknown>>;

export function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Content as plain text, or as a list of typed parts. */
export function contentText(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  if (!Array.isArray(content)) return '';
  return content
    .filter((part): part is Loose => isLoose(part) && part.type === type)
    .map((part) => textOf(part[type]) || contentText(part[type], 'text'))
    .join('');
}
