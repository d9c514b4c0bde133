import { simulation, wrapUp } from './simulation.ts';

/** More than anybody may allow in one turn (20), and some of them twice. */
const calls = Array.from({ length: 24 }, (_, index) =>
  index % 4 === 3
    ? { name: 'vault_list', input: { folder: '' } }
    : { name: 'vault_search', input: { query: `side topic ${index + 1}`, limit: 1 } },
);

export const fanOut = simulation(
  'simulated/fan-out',
  {
    title: 'More tool calls in one turn than are run',
    shows:
      'Two dozen calls at once: some are shared, those past the limit are answered as not run, with a TOOL_LIMIT message.',
  },
  (scene) =>
    scene.turn === 1 && scene.toolsOffered
      ? { text: `Asking for ${calls.length} things at once. `, calls }
      : scene.toolsOffered
        ? {
            text: `Of ${calls.length} calls, ${scene.calls().filter(({ ok }) => ok).length} came back with a result. That will do.`,
          }
        : wrapUp(scene),
);
