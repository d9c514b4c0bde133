/** How fast chunks come: all at once, or one at a time as real tokens do. */
export interface Pace {
  /** Milliseconds between chunks; 0: as fast as they are taken. */
  readonly everyMs: number;
  /** Chunks of a stream, when they are paced. */
  readonly chunks: number;
}

export const burst: Pace = { everyMs: 0, chunks: 0 };

/** From a message to a server. */
export function readPace(message: object): Pace | undefined {
  return 'pace' in message ? (message.pace as Pace) : undefined;
}
