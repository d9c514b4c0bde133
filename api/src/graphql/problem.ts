import type { FieldProblem } from '../agent/settings.ts';
import { builder } from './builder.ts';

export const FieldProblemType = builder.objectRef<FieldProblem>('FieldProblem').implement({
  description: 'What is wrong with one field of an input.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'The path of the field, such as maxIterations or defaults.maxIterations.',
    }),
    message: t.exposeString('message', { description: 'A sentence for the person who sent it.' }),
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'What was sent.' }),
    min: t.int({
      nullable: true,
      description: 'The smallest value (or length) allowed.',
      resolve: ({ min }) => min ?? null,
    }),
    max: t.int({
      nullable: true,
      description: 'The largest value (or length) allowed.',
      resolve: ({ max }) => max ?? null,
    }),
  }),
});

export type InvalidName = 'InvalidInput' | 'InvalidAgentConfig';

export interface Invalid {
  readonly problems: readonly FieldProblem[];
}

export function invalid(problems: readonly FieldProblem[]): Invalid {
  return { problems };
}

export const invalidTypes = {
  InvalidInput: defineInvalid('InvalidInput'),
  InvalidAgentConfig: defineInvalid('InvalidAgentConfig'),
};

function defineInvalid(name: InvalidName) {
  return builder.objectRef<Invalid>(name).implement({
    description: 'Nothing was changed; every bad field is listed.',
    fields: (t) => ({
      message: t.string({
        description: 'All problems in one text.',
        resolve: ({ problems }) => problems.map((problem) => problem.message).join(' '),
      }),
      problems: t.field({
        type: [FieldProblemType],
        description: 'One entry for each bad field.',
        resolve: ({ problems }) => [...problems],
      }),
    }),
  });
}
