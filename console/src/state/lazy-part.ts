import { type Component, lazy } from 'solid-js';
import { words } from '../words.ts';
import { toasts } from './toasts.ts';

/** A part of the console did not come: the network was away, or an upgraded server no longer has it under this name. */
export class PartMissing extends Error {}

/** A component whose code comes when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<Component<Props>>) {
  return lazy(async () => ({
    default: await load().catch((cause: unknown) => {
      throw new PartMissing(words.frame.partMissing, { cause });
    }),
  }));
}

/**
 * Browsers remember an import that failed, and the names of newer parts are in the newer page: only a page loaded anew
 * can have it. While the server is out of reach, the browser would show an error of its own instead; then it stays.
 */
export async function loadPageAnew(): Promise<void> {
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) location.reload();
  else toasts.show({ text: words.frame.unreachable, tone: 'failure' });
}
