import type { WriteText } from './compiled-selection.ts';

/** More than a reader takes in one go, so that the next reader of the same run finds them all. */
const remembered = 64;
const longestRemembered = 2_000;

/** Where an event stands in its run's log, which says what is in it: a log is only ever added to. */
interface Placed {
  readonly runId?: string;
  readonly seq?: number;
  readonly fromSeq?: number;
}

/**
 * Writes an event once for all readers who get it at about the same time. It is known by its run and its numbers there,
 * so no reader can get another's text. The event itself is not kept: it may hold far more than what is written of it.
 */
export function sharedTexts(write: WriteText): WriteText {
  const places = Array.from({ length: remembered }, () => ({ runId: '', seq: 0, fromSeq: 0, text: '' }));
  return (event) => {
    const { runId, seq = 0, fromSeq = 0 } = event as Placed;
    const place = places[seq % remembered];
    if (!runId || !place) return write(event);
    if (place.seq === seq && place.fromSeq === fromSeq && place.runId === runId) return place.text;
    const text = write(event);
    if (text !== undefined && text.length <= longestRemembered) {
      place.runId = runId;
      place.seq = seq;
      place.fromSeq = fromSeq;
      place.text = text;
    }
    return text;
  };
}
