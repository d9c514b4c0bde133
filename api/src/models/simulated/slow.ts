import { simulation } from './simulation.ts';

const words = 'Slowly , one piece at a time , this answer goes on for longer than any query may take .'.split(' ');
const pieces = 400;

/** One delta every few seconds: time enough to cancel, to reconnect, or to run out of time. */
export const slow = simulation(
  'simulated/slow',
  {
    title: 'One piece every few seconds',
    shows: 'One piece every three seconds: time to cancel or to reconnect, and TIMEOUT with a small limit.',
    slowness: 200,
    deltaLength: 1,
  },
  () => ({ text: Array.from({ length: pieces }, (_, index) => words[index % words.length]).join(' ') }),
);
