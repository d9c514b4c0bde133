/** A note that a newcomer finds in their first project. */
export interface SampleNote {
  readonly path: string;
  readonly body: string;
}

export function sampleNote(path: string, body: string): SampleNote {
  return { path, body: `${body.trim()}\n` };
}
