import { notFound } from '../access/access-error.ts';
import { fingerprint, type Json } from '../agent/json.ts';
import { mostStateKeys } from '../rule-book/run-subject.ts';
import type { Rule as LoadedRule } from '../rules/load-rules.ts';
import { type RuleProblem as Problem, stateKey } from '../rules/rule.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { invalid, invalidTypes } from './problem.ts';
import { Rule, RuleProblem, RuleState, reachableProject, stateOf } from './rule.ts';

export const InvalidRule = builder.objectRef<{ readonly ruleProblems: readonly Problem[] }>('InvalidRule').implement({
  description: 'Nothing was changed; everything that is wrong with the text is listed.',
  fields: (t) => ({
    message: t.string({
      description: 'All problems in one text.',
      resolve: ({ ruleProblems }) => ruleProblems.map(({ line, message }) => `Line ${line}: ${message}`).join(' '),
    }),
    problems: t.field({
      type: [RuleProblem],
      description: 'One entry for each, by place.',
      resolve: ({ ruleProblems }) => [...ruleProblems],
    }),
  }),
});

interface Conflict {
  readonly conflict: LoadedRule | null;
}

const RuleConflict = builder.objectRef<Conflict>('RuleConflict').implement({
  description: 'Somebody changed or deleted the rule since it was read; `current` is what stands now.',
  fields: (t) => ({
    message: t.string({
      description: 'What happened, in a sentence.',
      resolve: ({ conflict }) =>
        conflict ? 'This rule was changed meanwhile.' : 'This rule was deleted, or made by somebody else, meanwhile.',
    }),
    current: t.field({
      type: Rule,
      nullable: true,
      description: 'What stands now; null when it is gone.',
      resolve: ({ conflict }) => conflict,
    }),
  }),
});

const SaveRuleResult = builder.unionType('SaveRuleResult', {
  description: 'The rule as it now stands, or why nothing was changed.',
  types: [Rule, InvalidRule, RuleConflict],
  resolveType: (value) => ('ruleProblems' in value ? 'InvalidRule' : 'conflict' in value ? 'RuleConflict' : 'Rule'),
});

const SetRuleEnabledResult = builder.unionType('SetRuleEnabledResult', {
  description: 'The rule as it now stands, or why it was not switched.',
  types: [Rule, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Rule'),
});

const SetRuleStateResult = builder.unionType('SetRuleStateResult', {
  description: 'What the rule now remembers, or why nothing was changed.',
  types: [RuleState, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'RuleState'),
});

const SaveRuleInput = builder.inputType('SaveRuleInput', {
  description: 'A rule of the organisation’s.',
  fields: (t) => ({
    text: t.string({ required: true, description: 'All of it, in TOML; its id stands there.' }),
    id: t.string({ description: 'Which rule this is another text for; without it, a new one.' }),
    expectedVersion: t.int({
      description: 'The version that the change is based on; when it no longer stands, nothing changes.',
    }),
  }),
});

const SetRuleStateInput = builder.inputType('SetRuleStateInput', {
  description: 'One thing for a rule to remember.',
  fields: (t) => ({
    ruleId: t.string({ required: true, description: 'Which rule.' }),
    projectId: t.id({ description: "In which project; without it, the caller's default one." }),
    key: t.string({
      required: true,
      description: `Letters, digits and _, at most 64; ${mostStateKeys} of them for a rule.`,
    }),
    value: t.field({ type: 'JSON', description: 'A text, a number, true or false; without it, it is forgotten.' }),
  }),
});

async function existingRule({ rules }: OracleContext, id: string): Promise<LoadedRule> {
  await rules.book.ready();
  const rule = rules.book.present.rules.get(id);
  if (!rule) throw notFound('rule');
  return rule;
}

builder.mutationFields((t) => ({
  saveRule: t.field({
    type: SaveRuleResult,
    description:
      "Makes a rule of the organisation's, or changes one: in force within a second, on all servers, from the next turn of every run. Administrators only.",
    authScopes: { admin: true },
    args: { input: t.arg({ type: SaveRuleInput, required: true, description: 'The rule.' }) },
    resolve: async (_root, { input: { text, id, expectedVersion } }, context) => {
      const outcome = await context.rules.save(viewerOf(context).userId, text, {
        ...(id == null ? {} : { id }),
        ...(expectedVersion == null ? {} : { version: expectedVersion }),
      });
      if (outcome.type === 'invalid') return { ruleProblems: outcome.problems };
      const { rules } = context.rules.book.present;
      if (outcome.type === 'saved') return existingRule(context, outcome.ruleId);
      return { conflict: (outcome.current && rules.get(outcome.current.ruleId)) ?? null };
    },
  }),
  deleteRule: t.boolean({
    description: "Deletes a rule of the organisation's; its versions and what it did are kept. Administrators only.",
    authScopes: { admin: true },
    args: { id: t.arg.string({ required: true, description: 'Which rule.' }) },
    resolve: async (_root, { id }, context) => {
      if (!(await context.rules.delete(viewerOf(context).userId, id))) throw notFound('rule');
      return true;
    },
  }),
  setRuleEnabled: t.field({
    type: SetRuleEnabledResult,
    description:
      'Switches a rule for the caller, or by an administrator for everybody. What is off for everybody stays off; core rules are not a person’s to switch.',
    args: {
      ruleId: t.arg.string({ required: true, description: 'Which rule.' }),
      enabled: t.arg.boolean({ description: 'On or off; without it, what was decided is forgotten.' }),
      forEverybody: t.arg.boolean({ defaultValue: false, description: 'For everybody, by an administrator.' }),
    },
    resolve: async (_root, { ruleId, enabled, forEverybody }, context) => {
      const viewer = viewerOf(context);
      if (forEverybody) viewer.assertAdmin();
      const rule = await existingRule(context, ruleId);
      const refuse = (message: string) =>
        invalid([{ field: 'enabled', message, value: enabled, min: undefined, max: undefined }]);
      if (!forEverybody && rule.declaration.core)
        return refuse('This rule is core: only administrators can switch it.');
      if (!forEverybody && enabled && context.rules.book.present.organisation.get(ruleId) === false)
        return refuse('An administrator has switched this rule off for everybody.');
      await context.rules.setEnabled(viewer.userId, ruleId, forEverybody ? null : viewer.userId, enabled ?? null);
      return rule;
    },
  }),
  setRuleState: t.field({
    type: SetRuleStateResult,
    description: 'Has a rule remember or forget something, for the owner of a project. Counts from their next run.',
    args: { input: t.arg({ type: SetRuleStateInput, required: true, description: 'What to remember.' }) },
    resolve: async (_root, { input: { ruleId, projectId, key, value } }, context) => {
      const project = await reachableProject(context, projectId);
      if (!project) throw notFound('project');
      await existingRule(context, ruleId);
      const { values } = await stateOf(context, project.userId, project.id, ruleId);
      const problem = stateProblem(key, value ?? null, values);
      if (problem) return invalid([{ ...problem, min: undefined, max: undefined }]);
      await context.rules.store.setState(project.userId, project.id, [{ ruleId, key, value: (value ?? null) as Json }]);
      return stateOf(context, project.userId, project.id, ruleId);
    },
  }),
}));

function stateProblem(
  key: string,
  value: unknown,
  known: object,
): { field: string; message: string; value: unknown } | undefined {
  if (!stateKey.test(key))
    return { field: 'key', message: 'A key is a name of letters, digits and _, at most 64.', value: key.slice(0, 100) };
  if (value !== null && !Object.hasOwn(known, key) && Object.keys(known).length >= mostStateKeys) {
    const message = `A rule remembers ${mostStateKeys} things of a person in a project. Have it forget one first.`;
    return { field: 'key', message, value: key };
  }
  const plain = value === null || ['boolean', 'string', 'number'].includes(typeof value);
  if (!plain) return { field: 'value', message: 'A value is a text, a number, true or false.', value };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { field: 'value', message: 'This number is too large.', value: String(value) };
  const isText = typeof value === 'string';
  if (isText && (value.length > 1_000 || value.includes('\0') || !value.isWellFormed()))
    return {
      field: 'value',
      message: 'A text has at most 1,000 characters, and none that cannot be stored.',
      value: fingerprint(value),
    };
  return undefined;
}
