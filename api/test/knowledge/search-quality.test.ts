import { afterAll, beforeAll, expect, it } from 'vitest';
import { measureQuality } from '../../bench/search-quality.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

it('search finds the notes that answer the labelled questions about the sample vault', async () => {
  const { id } = await kit.vault.defaultProject(kit.admin.id);

  const quality = await measureQuality(kit.vault, id);

  expect(quality.questions).toBeGreaterThanOrEqual(40);
  expect(quality.hitRateAt5).toBeGreaterThanOrEqual(0.85);
  expect(quality.hitRateAt1).toBeGreaterThanOrEqual(0.8);
  expect(quality.meanReciprocalRank).toBeGreaterThanOrEqual(0.82);
});
