import { simulation } from './simulation.ts';

/** Goes on calling although no tools are offered: the only way to run into the iteration limit with open eyes. */
export const stubborn = simulation(
  'simulated/stubborn',
  'A new tool call every turn, even when none are offered',
  (scene) => ({
    text: scene.toolsOffered ? '' : 'There must be more to find. ',
    calls: [{ name: 'vault_search', input: { query: `stubborn topic ${scene.turn}`, limit: 3 } }],
  }),
);
