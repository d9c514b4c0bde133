import type { TextCall } from './text-call.ts';

/**
 * What is read inside a call, after its opening. A body gets the text in pieces and keeps what it needs; what it leaves
 * unread (`more`) comes again, in front of the next piece.
 */
export interface CallBody {
  /** `last` when no more text will come: nothing may be left unread in the hope for it. */
  read(text: string, at: number, last: boolean): BodyStep;
  /** The text is over, in the middle of the call. */
  end(): BodyEnd;
}

export type BodyStep = { readonly more: number } | BodyEnd | { readonly at: number; readonly next: CallBody };

/** The body is done. */
export interface BodyEnd {
  /** Where the text goes on; all of it when absent. */
  readonly at?: number;
  readonly next?: CallBody | undefined;
  readonly calls?: readonly TextCall[];
  /** It was no call after all: for the reader. */
  readonly text?: string;
  /** Was taken for a part of the call and is none: to be read once more, before the rest. */
  readonly again?: string;
}

/** Where there is no blank any more. */
export function skipBlanks(text: string, at: number): number {
  let place = at;
  while (place < text.length && /\s/.test(text.charAt(place))) place += 1;
  return place;
}

/** More than this between two tags, and they do not belong together. */
export const mostBlanks = 200;
