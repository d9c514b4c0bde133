import { simulation } from './simulation.ts';

/** Never the same call twice, and even when none are offered, so that only a limit can end it. */
export const busy = simulation(
  'simulated/busy',
  {
    title: 'A new tool call every turn, for ever',
    shows: 'Asks for something new every turn and never answers: the iteration warning, then MAX_ITERATIONS.',
  },
  (scene) => ({
    text: scene.toolsOffered ? `Searching once more (${scene.turn}). ` : 'There must be more to find. ',
    calls: [{ name: 'vault_search', input: { query: `simulated topic ${scene.turn}`, limit: 3 } }],
  }),
);
