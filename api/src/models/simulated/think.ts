import { firstPath } from '../found-notes.ts';
import type { Scene } from '../scene.ts';
import { simulation, wrapUp } from './simulation.ts';

/** Reasoning, a search, a note read, an answer that names it. */
export const think = simulation(
  'simulated/think',
  {
    title: 'Reasoning and tools, then an answer',
    shows: 'Thinking chunks, a search, a note read with its source, and a COMPLETED answer.',
    thinks: true,
  },
  (scene) => {
    if (!scene.toolsOffered) return { reasoning: 'No tools this time, so I have to conclude. ', ...wrapUp(scene) };
    const calls = scene.calls();
    if (calls.length === 0) {
      return {
        reasoning: `The question is “${scene.question.slice(0, 100)}”. The vault may know; I will search it first. `,
        calls: [{ name: 'vault_search', input: { query: scene.question.slice(0, 200) || 'welcome', limit: 3 } }],
      };
    }
    const path = firstPath(calls);
    if (path !== undefined && !calls.some(({ name }) => name === 'vault_read')) {
      return {
        reasoning: `${path} looks promising; I will read it. `,
        calls: [{ name: 'vault_read', input: { path } }],
      };
    }
    return { reasoning: 'That is enough to answer. ', text: conclusion(scene, path) };
  },
);

function conclusion({ turn }: Scene, path: string | undefined): string {
  const source = path === undefined ? 'The vault has nothing on it' : `What I found is in ${path}`;
  return `${source}. This is a simulated answer, given in turn ${turn} after thinking aloud.`;
}
