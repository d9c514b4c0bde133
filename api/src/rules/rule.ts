import { z } from 'zod';
import type { TightenableLimit } from '../agent/advance.ts';
import { type EventName, eventSeverities } from '../events/event.ts';

export const triggers = [
  'QUERY_START',
  'TURN_START',
  'TURN_END',
  'TOOL_CALL',
  'TOOL_COMPLETE',
  'TOOL_FAILURE',
  'SESSION_END',
] as const;

export type Trigger = (typeof triggers)[number];

/** The events of a run's bus that each trigger waits for. */
export const eventsOfTrigger = {
  QUERY_START: ['query.start'],
  TURN_START: ['agent.turn.start'],
  TURN_END: ['agent.turn.end'],
  TOOL_CALL: ['tool.call.pending'],
  TOOL_COMPLETE: ['tool.call.success'],
  TOOL_FAILURE: ['tool.call.failure', 'tool.call.timeout'],
  SESSION_END: ['session.end'],
} as const satisfies Readonly<Record<Trigger, readonly EventName[]>>;

/** What a rule may make smaller for the run that it watches. */
export const tightenable = [
  'maxIterations',
  'tokenBudget',
  'timeoutSeconds',
  'maxToolCallsPerTurn',
  'maxParallelTools',
] as const satisfies readonly TightenableLimit[];

const shownSeverities = ['INFO', 'WARNING', 'ERROR'] as const;

const actionsThatEmit = { 'rule.notify': true, 'rule.hint': true, 'rule.limit': true };

const message = z.string().min(1).max(500);
const expression = z.string().min(1);
/** Under what a rule may remember something. Every object has a `__proto__` already. */
export const stateKey = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const actions = {
  notify: z.strictObject({
    message,
    severity: z.enum(shownSeverities).default('INFO'),
    advice: z.string().max(300).optional(),
  }),
  hint: z.strictObject({ message }),
  log: z.strictObject({ message, level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }),
  set_state: z
    .strictObject({
      key: z.string().regex(stateKey, 'must be a name of letters, digits and _, at most 64, such as last_seen'),
      value: z.union([z.string().max(500), z.number(), z.boolean()]).optional(),
      expression: expression.optional(),
    })
    .refine((given) => (given.value === undefined) !== (given.expression === undefined), {
      message: 'needs either value or expression',
    }),
  emit_event: z.strictObject({
    name: z
      .string()
      .regex(
        /^rule(\.[a-z0-9_-]{1,40}){1,3}$/,
        'must begin with rule., followed by lower-case words with dots between them, such as rule.review.needed',
      )
      .refine((name) => !(name in actionsThatEmit), { error: 'is what the action of that name emits; choose another' }),
    severity: z.enum(eventSeverities).default('INFO'),
    payload: z
      .record(z.string().max(40), z.union([z.string().max(500), z.number(), z.boolean()]))
      .refine((parts) => !Object.hasOwn(parts, 'rule'), 'has the id of the rule as "rule" already')
      .default({}),
  }),
  limit: z
    .strictObject({
      field: z.enum(tightenable),
      to: z.int().min(1).optional(),
      expression: expression.optional(),
    })
    .refine((given) => (given.to === undefined) !== (given.expression === undefined), {
      message: 'needs either to or expression',
    }),
} as const;

export const actionNames = Object.keys(actions) as readonly (keyof typeof actions)[];

/** A rule as its file says it. */
export const RuleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,59}$/, 'must be 2 to 60 lower-case letters, digits and hyphens, beginning with a letter'),
  name: z.string().min(1).max(100),
  description: z.string().max(500).default(''),
  trigger: z.enum(triggers),
  /** The highest fires first. */
  priority: z.int().min(1).max(1000).default(500),
  enabled: z.boolean().default(true),
  /** Nobody can switch it off for themselves. */
  core: z.boolean().default(false),
  /** At most once in a run. */
  once: z.boolean().default(false),
  condition: expression.default('true'),
  action: z
    .strictObject({
      notify: actions.notify.optional(),
      hint: actions.hint.optional(),
      log: actions.log.optional(),
      set_state: actions.set_state.optional(),
      emit_event: actions.emit_event.optional(),
      limit: actions.limit.optional(),
    })
    .refine((given) => Object.values(given).filter((action) => action !== undefined).length === 1, {
      message: `needs exactly one of ${actionNames.join(', ')}`,
    }),
});

export type RuleDeclaration = Readonly<z.output<typeof RuleSchema>>;
export type ActionName = (typeof actionNames)[number];

export function actionOf({ action }: RuleDeclaration): ActionName {
  return actionNames.find((name) => action[name] !== undefined) ?? 'log';
}

/** Something wrong with a rule's text, and where. Lines and columns count from 1. */
export interface RuleProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Where a rule comes from. Ids are one namespace: the first in this order has it. */
export type RuleOrigin = 'BUILT_IN' | 'ORGANISATION' | 'FILE';
