import { simulation } from './simulation.ts';

export const answer = simulation(
  'simulated/answer',
  { title: 'A short answer, at once', shows: 'One turn without tools: content, then the end of a COMPLETED run.' },
  ({ question }) => ({
    text: `You asked: “${question.slice(0, 200)}”. This is a simulated answer; no model was asked.`,
  }),
);
