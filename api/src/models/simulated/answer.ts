import { simulation } from './simulation.ts';

export const answer = simulation('simulated/answer', 'A short answer, at once', ({ question }) => ({
  text: `You asked: “${question.slice(0, 200)}”. This is a simulated answer; no model was asked.`,
}));
