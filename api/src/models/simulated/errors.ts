import { simulation, wrapUp } from './simulation.ts';

/** Each call is another one, so that the errors end it and not the repetition. */
export const errors = simulation(
  'simulated/errors',
  {
    title: 'Tool calls that always fail',
    shows:
      'Reads notes that do not exist: after three turns in which every call failed, the run ends with ERROR_LIMIT.',
  },
  (scene) =>
    scene.toolsOffered
      ? { calls: [{ name: 'vault_read', input: { path: `simulated/missing-${scene.turn}.md` } }] }
      : wrapUp(scene),
);
