import type { Hear, ModelEvent } from '../model-port.ts';

/** Tells the events of a scripted reply. */
export async function told(events: AsyncIterable<ModelEvent>, hear: Hear): Promise<void> {
  for await (const event of events) {
    const answer = hear(event);
    if (answer === false) return;
    if (answer) await answer;
  }
}
