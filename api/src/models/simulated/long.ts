import { simulation } from './simulation.ts';

const sections = 40;

/** Several hundred deltas, with Markdown in them. */
export const long = simulation(
  'simulated/long',
  {
    title: 'A long answer in several hundred pieces',
    shows: 'Several hundred content chunks with Markdown: for streaming, scrolling, stopping and coming back.',
  },
  () => ({
    text: Array.from({ length: sections }, (_, index) => section(index + 1)).join('\n\n'),
  }),
);

function section(number: number): string {
  return [
    `## Part ${number} of ${sections}`,
    `This is paragraph ${number} of a long simulated answer. It says nothing new, but it says it at length, so that streaming, scrolling, stopping and coming back can be tried without a model.`,
    ...(number % 10 === 0 ? [`\`\`\`ts\nconst part = ${number};\n\`\`\``] : []),
  ].join('\n\n');
}
