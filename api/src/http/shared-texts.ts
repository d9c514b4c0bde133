import type { WriteText } from './compiled-selection.ts';

/** More than a reader takes in one go, so that the next reader of the same run finds them all. */
const remembered = 64;
const longestRemembered = 2_000;

/**
 * Writes an event once for all readers who get it at about the same time. An event is known by being the very same
 * object, so no reader can get another's text.
 */
export function sharedTexts(write: WriteText): WriteText {
  const events: unknown[] = new Array(remembered);
  const texts: string[] = new Array(remembered);
  return (event) => {
    const { seq = 0 } = event as { readonly seq?: number };
    const place = seq % remembered;
    if (events[place] === event) return texts[place];
    const text = write(event);
    if (text !== undefined && text.length <= longestRemembered) {
      events[place] = event;
      texts[place] = text;
    }
    return text;
  };
}
