import { simulation, wrapUp } from './simulation.ts';

/** Never the same call twice, so that only a limit can end it. */
export const busy = simulation('simulated/busy', 'A new tool call every turn, until tools are withheld', (scene) =>
  scene.toolsOffered
    ? {
        text: `Searching once more (${scene.turn}). `,
        calls: [{ name: 'vault_search', input: { query: `simulated topic ${scene.turn}`, limit: 3 } }],
      }
    : wrapUp(scene),
);
