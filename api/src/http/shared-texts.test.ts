import { describe, expect, it } from 'vitest';
import { sharedTexts } from './shared-texts.ts';
import { collectGarbage } from './test/collect-garbage.ts';

const chunk = (seq: number, more: object = {}) => ({ runId: 'run', seq, fromSeq: seq, text: `text ${seq}`, ...more });

function counting() {
  const written: unknown[] = [];
  const write = sharedTexts((event) => {
    written.push(event);
    return JSON.stringify(event);
  });
  return { written, write };
}

describe('texts that readers share', () => {
  it('are written once for a chunk, from wherever it was read', () => {
    const { written, write } = counting();

    expect(write(chunk(1))).toBe(write(chunk(1)));
    expect(written).toHaveLength(1);
  });

  it('are another’s where the run, its number, or where it begins is another', () => {
    const { written, write } = counting();
    const events = [chunk(3), chunk(67), chunk(3, { runId: 'other' }), chunk(3, { fromSeq: 2 }), chunk(3)];

    expect(events.map(write)).toEqual(events.map((event) => JSON.stringify(event)));
    expect(written).toHaveLength(5);
  });

  it('are not kept where they are long, or nobody could tell whose they are', () => {
    const { written, write } = counting();
    const events = [chunk(1, { text: 'x'.repeat(2_001) }), { seq: 2, text: 'of no run' }];
    for (const event of [...events, ...events]) write(event);

    expect(written).toHaveLength(4);
  });

  it('do not hold on to the chunks that they were written of', async () => {
    const write = sharedTexts((event) => String((event as { readonly seq: number }).seq));
    const chunks = Array.from({ length: 64 }, (_, index) => {
      const large = chunk(index, { result: Array.from({ length: 1_000 }, () => ({})) });
      write(large);
      return new WeakRef(large);
    });
    await collectGarbage();

    expect(chunks.filter((each) => each.deref() !== undefined)).toEqual([]);
  });
});
