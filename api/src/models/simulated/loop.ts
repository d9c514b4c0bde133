import { simulation } from './simulation.ts';

export const loop = simulation('simulated/loop', 'The same tool call for ever', () => ({
  calls: [{ name: 'vault_search', input: { query: 'the same thing again' } }],
}));
