import { simulation, wrapUp } from './simulation.ts';

/** What a well-behaved model does at a limit: it uses its tools while it has them, then answers. */
export const obliging = simulation(
  'simulated/obliging',
  {
    title: 'A new tool call every turn, then an answer when told',
    shows: 'Uses its tools while it has them and answers on the last turn: a limit that ends in an answer.',
  },
  (scene) =>
    scene.toolsOffered
      ? { calls: [{ name: 'vault_search', input: { query: `obliging topic ${scene.turn}`, limit: 3 } }] }
      : wrapUp(scene),
);
