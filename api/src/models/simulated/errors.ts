import { simulation, wrapUp } from './simulation.ts';

/** Each call is another one, so that the errors end it and not the repetition. */
export const errors = simulation('simulated/errors', 'Tool calls that always fail', (scene) =>
  scene.toolsOffered
    ? { calls: [{ name: 'vault_read', input: { path: `simulated/missing-${scene.turn}.md` } }] }
    : wrapUp(scene),
);
