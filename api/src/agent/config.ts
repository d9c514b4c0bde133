import { z } from 'zod';

/** What a client needs to draw and explain a setting, beside the bounds that zod already knows. */
interface Explanation {
  readonly title: string;
  readonly unit: string;
  readonly help: string;
}

/**
 * The limits of a person's agent. The only place where their names, defaults, bounds, units and texts stand:
 * stored shape, GraphQL types, SDK, console controls and the README's table are all derived from it.
 */
export const AgentConfigSchema = z.strictObject({
  maxIterations: whole(1, 50, 15, {
    title: 'Max iterations',
    unit: 'turns',
    help: 'How many times the model may be called for one question.',
  }),
  softWarningPercent: whole(50, 90, 70, {
    title: 'Iteration warning',
    unit: '%',
    help: 'Warn once this share of the turns is used, so that the answer can be wrapped up.',
  }),
  tokenBudget: whole(1_000, 200_000, 50_000, {
    title: 'Token budget',
    unit: 'tokens',
    help: 'Input, output and reasoning tokens together, for one question.',
  }),
  tokenWarningPercent: whole(50, 95, 80, {
    title: 'Token warning',
    unit: '%',
    help: 'Warn once this share of the token budget is used.',
  }),
  timeoutSeconds: whole(10, 600, 120, {
    title: 'Timeout',
    unit: 'seconds',
    help: 'How long one question may take, from asking to the last word.',
  }),
  maxToolCallsPerTurn: whole(1, 20, 5, {
    title: 'Tool calls per turn',
    unit: 'calls',
    help: 'How many of the tool calls of one turn are run; the rest are answered as not run.',
  }),
  maxParallelTools: whole(1, 10, 3, {
    title: 'Parallel tools',
    unit: 'calls',
    help: 'How many tool calls may be in flight at the same time.',
  }),
});

/** Which models answer, and how much they are given. Treated like the limits: same layers, checks and audit. */
export const ModelSettingsSchema = z.strictObject({
  oracleModel: modelName('offline', {
    title: 'Model',
    unit: '',
    help: 'The model that answers, such as offline or openrouter/vendor/name.',
  }),
  subagentModel: modelName('offline', {
    title: 'Sub-agent model',
    unit: '',
    help: 'The model that summarises large results for the answering one.',
  }),
  thinkingEnabled: z.boolean().default(false).meta({
    title: 'Thinking',
    unit: '',
    help: 'Ask for reasoning from models that offer it.',
  }),
  librarianTimeout: whole(60, 3_600, 1_200, {
    title: 'Librarian timeout',
    unit: 'seconds',
    help: 'How long the sub-agent may take; never longer than the question itself has left.',
  }),
  maxContextNodes: whole(5, 100, 30, {
    title: 'Remembered exchanges',
    unit: 'exchanges',
    help: 'How many of the newest exchanges of a conversation the model is shown.',
  }),
});

export type AgentConfig = Readonly<z.output<typeof AgentConfigSchema>>;
export type ModelSettings = Readonly<z.output<typeof ModelSettingsSchema>>;

function whole(min: number, max: number, standard: number, explanation: Explanation) {
  return z
    .int()
    .min(min)
    .max(max)
    .default(standard)
    .meta({ ...explanation });
}

function modelName(standard: string, explanation: Explanation) {
  return z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/)
    .default(standard)
    .meta({ ...explanation });
}
