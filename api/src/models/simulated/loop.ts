import { simulation } from './simulation.ts';

export const loop = simulation(
  'simulated/loop',
  {
    title: 'The same tool call for ever',
    shows: 'The same search again and again: a hint after two, and after three the run ends with NO_PROGRESS.',
  },
  () => ({
    calls: [{ name: 'vault_search', input: { query: 'the same thing again' } }],
  }),
);
