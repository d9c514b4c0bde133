import { simulation } from './simulation.ts';

const first = { name: 'vault_list', input: { folder: '' } };
const second = { name: 'vault_search', input: { query: 'welcome' } };

export const alternating = simulation('simulated/alternating', 'Two tool calls in turn, for ever', (scene) => ({
  calls: [scene.turn % 2 === 1 ? first : second],
}));
