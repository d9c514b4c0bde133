import { charactersPerToken, type Scene } from '../scene.ts';
import { simulation } from './simulation.ts';

const hiddenTokens = 12_000;

/** Thinks dearly in secret; when tools are withheld it writes until the output cap stops it. */
export const burn = simulation(
  'simulated/burn',
  {
    title: 'Burns the token budget',
    shows:
      'Spends most of the budget on hidden reasoning: a token warning, a last turn without tools, and TOKEN_BUDGET.',
    deltaLength: 400,
  },
  (scene) =>
    scene.toolsOffered
      ? { hiddenTokens, calls: [{ name: 'vault_search', input: { query: `expensive topic ${scene.turn}` } }] }
      : { text: endless(scene) },
);

function endless({ maxOutputTokens }: Scene): string {
  const sentence = 'Tokens are spent on this sentence, which could have been left out. ';
  const characters = Math.min(maxOutputTokens, 100_000) * charactersPerToken + sentence.length;
  return sentence.repeat(Math.ceil(characters / sentence.length));
}
