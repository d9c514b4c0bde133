import { badInput } from '../access/access-error.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';
import { reachableRun } from './run.ts';

const mostAtOnce = 100;

const CancelOutcome = defineEnum('CancelOutcome', 'What became of a run that was to be stopped.', {
  STOPPED: 'This call ended it.',
  ENDED_ALREADY: 'It had ended, or somebody else has stopped it.',
  MISSING: 'There is no such run that the caller may stop.',
});

interface Cancelled {
  readonly runId: string;
  readonly outcome: 'STOPPED' | 'ENDED_ALREADY' | 'MISSING';
}

const CancelledRun = builder.objectRef<Cancelled>('CancelledRun').implement({
  description: 'One of the runs that were to be stopped.',
  fields: (t) => ({
    runId: t.exposeID('runId', { description: 'Which run.' }),
    outcome: t.field({
      type: CancelOutcome,
      description: 'What became of it.',
      resolve: ({ outcome }) => outcome,
    }),
  }),
});

builder.mutationField('cancelRuns', (t) =>
  t.field({
    type: [CancelledRun],
    description: `Stops several runs at once, at most ${mostAtOnce}, and tells of each what became of it.`,
    args: { runIds: t.arg.idList({ required: true, description: 'Which runs.' }) },
    resolve: async (_root, { runIds }, context) => {
      const ids = [...new Set(runIds)];
      if (ids.length > mostAtOnce) throw badInput(`At most ${mostAtOnce} runs can be stopped at once.`);
      return Promise.all(
        ids.map(async (runId): Promise<Cancelled> => {
          const run = await reachableRun(context, runId);
          if (!run) return { runId, outcome: 'MISSING' };
          return { runId, outcome: (await context.runs.cancel(run.id)) ? 'STOPPED' : 'ENDED_ALREADY' };
        }),
      );
    },
  }),
);
