import { simulation } from './simulation.ts';

const first = { name: 'vault_list', input: { folder: '' } };
const second = { name: 'vault_search', input: { query: 'welcome' } };

export const alternating = simulation(
  'simulated/alternating',
  {
    title: 'Two tool calls in turn, for ever',
    shows:
      'Two calls in turn whose results never change: after three turns that bring nothing new, the run ends with NO_PROGRESS.',
  },
  (scene) => ({
    calls: [scene.turn % 2 === 1 ? first : second],
  }),
);
