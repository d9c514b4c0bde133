import { APICallError } from '@ai-sdk/provider';
import { simulation } from './simulation.ts';

/** What was said before the failure stays. */
export const failing = simulation(
  'simulated/failing',
  {
    title: 'A provider that fails in the middle of its answer',
    shows: 'The provider breaks off half-way: what was said is kept, and the run ends with MODEL_ERROR.',
  },
  () => ({
    text: 'This answer begins well, but the provider will not see it through: ',
    failure: new APICallError({
      message: 'Simulated.',
      url: '',
      requestBodyValues: {},
      statusCode: 503,
      data: { error: { message: 'This failure is simulated.' } },
    }),
  }),
);
