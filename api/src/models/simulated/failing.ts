import { APICallError } from '@ai-sdk/provider';
import { simulation } from './simulation.ts';

/** What was said before the failure stays. */
export const failing = simulation('simulated/failing', 'A provider that fails in the middle of its answer', () => ({
  text: 'This answer begins well, but the provider will not see it through: ',
  failure: new APICallError({
    message: 'Simulated.',
    url: '',
    requestBodyValues: {},
    statusCode: 503,
    data: { error: { message: 'This failure is simulated.' } },
  }),
}));
