import { simulation, wrapUp } from './simulation.ts';

export const loop = simulation('simulated/loop', 'The same tool call for ever', (scene) =>
  scene.toolsOffered ? { calls: [{ name: 'vault_search', input: { query: 'the same thing again' } }] } : wrapUp(scene),
);
