import { charactersPerToken, type Scene } from '../scene.ts';
import { simulation } from './simulation.ts';

const hiddenTokens = 12_000;

/** Thinks dearly in secret; when tools are withheld it writes until the output cap stops it. */
export const burn = simulation(
  'simulated/burn',
  'Burns the token budget',
  (scene) =>
    scene.toolsOffered
      ? { hiddenTokens, calls: [{ name: 'vault_search', input: { query: `expensive topic ${scene.turn}` } }] }
      : { text: endless(scene) },
  { deltaLength: 400 },
);

function endless({ maxOutputTokens }: Scene): string {
  const sentence = 'Tokens are spent on this sentence, which could have been left out. ';
  const characters = Math.min(maxOutputTokens, 100_000) * charactersPerToken + sentence.length;
  return sentence.repeat(Math.ceil(characters / sentence.length));
}
