/** Every limit, and cancelling, against every moment at which it may come. */
export const limits = [
  'iterations',
  'tokens',
  'time',
  'tool calls per turn',
  'no progress',
  'errors',
  'cancel',
] as const;
export const moments = ['while streaming', 'in a tool', 'between turns', 'in a retry wait'] as const;

export type Limit = (typeof limits)[number];
export type Moment = (typeof moments)[number];

/** What cannot happen, and why. Everything else has a test. */
export const impossible: Readonly<Partial<Record<Limit, Readonly<Partial<Record<Moment, string>>>>>> = {
  iterations: {
    'while streaming': 'Turns count once they are complete: the last one may stream to its end.',
    'in a tool': 'Turns count once they are complete: the tools of the last one run to their end.',
    'in a retry wait': 'A retry belongs to the turn that it repeats.',
  },
  tokens: {
    'in a tool': 'Tools spend no tokens.',
    'in a retry wait': 'An attempt that failed before its first word has spent nothing.',
  },
  'tool calls per turn': {
    'while streaming': 'Calls are counted when they are run, after the reply.',
    'between turns': 'It belongs to one turn, and ends nothing.',
    'in a retry wait': 'Before the first word there are no calls.',
  },
  'no progress': {
    'while streaming': 'It is judged by the results of a whole turn.',
    'in a tool': 'It is judged by the results of a whole turn.',
    'in a retry wait': 'It is judged by the results of a whole turn.',
  },
  errors: {
    'while streaming': 'They are counted by whole turns.',
    'in a tool': 'They are counted by whole turns.',
    'in a retry wait': 'A provider that fails is no failing tool: that ends as MODEL_ERROR.',
  },
};
