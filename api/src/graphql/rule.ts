import { isIdentifier } from '../access/identifier.ts';
import type { RuleVersion as Version } from '../rule-book/rule-store.ts';
import { isEnabled } from '../rule-book/switches.ts';
import type { Rule as LoadedRule } from '../rules/load-rules.ts';
import { actionOf, type RuleProblem as Problem } from '../rules/rule.ts';
import type { RuleFiring as FiringRow } from '../store/entities/rule-firing.ts';
import { type PageRequest, pageByText } from '../store/page.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { defineEnum } from './enum.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { Run, reachableRun } from './run.ts';
import { Person } from './setting-change.ts';

export const RuleTrigger = defineEnum('RuleTrigger', 'When a rule is asked.', {
  QUERY_START: 'A question is taken up.',
  TURN_START: 'A turn begins.',
  TURN_END: 'A turn has ended, its tool calls included, or was broken off.',
  TOOL_CALL: 'The model asked for a tool call.',
  TOOL_COMPLETE: 'A tool call worked.',
  TOOL_FAILURE: 'A tool call failed, or took too long.',
  SESSION_END: 'The run has ended. Not asked when its server died: another one ends such a run, without its rules.',
});

const RuleOrigin = defineEnum('RuleOrigin', 'Where a rule comes from.', {
  BUILT_IN: 'It comes with the product.',
  FILE: 'It lies in the folder `rules` of the data directory.',
  ORGANISATION: 'Administrators wrote it here.',
});

export const RuleAction = defineEnum('RuleAction', 'What a rule does when it fires.', {
  notify: 'Tells the person and the model something.',
  hint: 'Tells the model something.',
  log: "Writes a line into the server's log.",
  set_state: 'Remembers something for this person in this project.',
  emit_event: 'Emits an event that others may listen to.',
  limit: 'Tightens a limit of the run.',
});

export const RuleProblem = builder.objectRef<Problem>('RuleProblem').implement({
  description: 'Something wrong with the text of a rule, and where.',
  fields: (t) => ({
    file: t.exposeString('file', { description: 'The file, or the id of the rule.' }),
    line: t.exposeInt('line', { description: 'The line, from 1.' }),
    column: t.exposeInt('column', { description: 'The column, from 1.' }),
    message: t.exposeString('message', { description: 'What is wrong, and what may have been meant.' }),
  }),
});

const RuleVersion = builder.objectRef<Version>('RuleVersion').implement({
  description: 'A rule as somebody saved it once.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Counts 1, 2, 3…' }),
    text: t.string({ nullable: true, description: 'Its text; null: it was deleted.', resolve: ({ text }) => text }),
    at: t.field({ type: 'DateTime', description: 'When.', resolve: ({ at }) => new Date(at) }),
    by: t.field({
      type: Person,
      nullable: true,
      description: 'By whom; null when that person is gone.',
      resolve: async ({ actorId }, _args, { people }) => (actorId ? ((await people.find(actorId)) ?? null) : null),
    }),
  }),
});

export const RuleFiring = builder.objectRef<FiringRow>('RuleFiring').implement({
  description: 'A rule that fired in a run, or failed.',
  fields: (t) => ({
    ruleId: t.exposeString('ruleId', { description: 'Which rule.' }),
    turn: t.exposeInt('turn', { description: 'In which turn; 0 before the first.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    trigger: t.field({
      type: RuleTrigger,
      description: 'What woke it.',
      resolve: ({ trigger }) => trigger as typeof RuleTrigger.$inferType,
    }),
    effect: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it did: `type` is the action, the rest its details; null when it failed.',
      resolve: ({ effect }) => effect ?? null,
    }),
    error: t.string({ nullable: true, description: 'Why it failed.', resolve: ({ error }) => error ?? null }),
    run: t.field({
      type: Run,
      nullable: true,
      description: 'The run.',
      resolve: async ({ runId }, _args, context) => (await reachableRun(context, runId)) ?? null,
    }),
  }),
});

const RuleFiringConnection = definePage('RuleFiring', RuleFiring);

/** Newest first: the caller's own, for administrators everybody's. */
export function firingsOf(context: OracleContext, ruleId: string, request: PageRequest) {
  const viewer = viewerOf(context);
  return answerPage(context.rules.firings(ruleId, viewer.isAdmin ? undefined : viewer.userId, request));
}

export const Rule = builder.objectRef<LoadedRule>('Rule').implement({
  description: 'A rule: when its trigger occurs and its condition holds, it acts.',
  fields: (t) => ({
    id: t.string({ description: 'Its id, the same everywhere.', resolve: ({ declaration }) => declaration.id }),
    name: t.string({ description: 'What people call it.', resolve: ({ declaration }) => declaration.name }),
    description: t.string({ description: 'What it is for.', resolve: ({ declaration }) => declaration.description }),
    trigger: t.field({
      type: RuleTrigger,
      description: 'When it is asked.',
      resolve: ({ declaration }) => declaration.trigger,
    }),
    priority: t.int({
      description: '1 to 1000; the highest fires first.',
      resolve: ({ declaration }) => declaration.priority,
    }),
    core: t.boolean({
      description: 'Whether nobody can switch it off for themselves.',
      resolve: ({ declaration }) => declaration.core,
    }),
    once: t.boolean({
      description: 'Whether it fires at most once in a run.',
      resolve: ({ declaration }) => declaration.once,
    }),
    condition: t.string({ description: 'When it fires, in CEL.', resolve: ({ declaration }) => declaration.condition }),
    action: t.field({
      type: RuleAction,
      description: 'What it does.',
      resolve: ({ declaration }) => actionOf(declaration),
    }),
    origin: t.field({ type: RuleOrigin, description: 'Where it comes from.', resolve: ({ origin }) => origin }),
    text: t.exposeString('text', { description: 'All of it, in TOML.' }),
    version: t.int({
      nullable: true,
      description: 'For those that administrators wrote: grows with every change; send it back with an update.',
      resolve: ({ declaration }, _args, { rules }) => rules.book.present.versions.get(declaration.id) ?? null,
    }),
    enabledByDefault: t.boolean({
      description: 'What the rule itself says.',
      resolve: ({ declaration }) => declaration.enabled,
    }),
    enabledForEverybody: t.boolean({
      nullable: true,
      description: 'What an administrator decided for everybody; null: nothing.',
      resolve: ({ declaration }, _args, { rules }) => rules.book.present.organisation.get(declaration.id) ?? null,
    }),
    enabledForMe: t.boolean({
      description: 'Whether it counts for the caller, all things considered.',
      resolve: async ({ declaration }, _args, context) =>
        isEnabled(declaration, context.rules.book.present.organisation, await mySwitches(context)),
    }),
    lastFiredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "When it last fired, in the caller's runs; for administrators in anybody's.",
      resolve: async ({ declaration: { id } }, _args, context) => {
        const viewer = viewerOf(context);
        const whose = viewer.isAdmin ? undefined : viewer.userId;
        return (await context.rules.store.lastFired([id], whose)).get(id) ?? null;
      },
    }),
    versions: t.field({
      type: [RuleVersion],
      description: 'How it was changed, newest first, at most 100; for administrators.',
      resolve: async ({ declaration: { id } }, _args, context) =>
        viewerOf(context).isAdmin ? [...(await context.rules.store.versions(id))] : [],
    }),
    firings: t.field({
      type: RuleFiringConnection,
      description: "What it did, newest first: in the caller's runs; for administrators in everybody's.",
      args: pageArgs,
      resolve: ({ declaration }, args, context) => firingsOf(context, declaration.id, args),
    }),
  }),
});

/** Asked for once in a request, however many rules are listed. */
const personalSwitches = new WeakMap<OracleContext, ReturnType<OracleContext['rules']['store']['switches']>>();

function mySwitches(context: OracleContext) {
  const known = personalSwitches.get(context);
  if (known) return known;
  const found = context.rules.store.switches(viewerOf(context).userId);
  personalSwitches.set(context, found);
  return found;
}

const RuleConnection = definePage('Rule', Rule);

interface State {
  readonly ruleId: string;
  readonly projectId: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export const RuleState = builder.objectRef<State>('RuleState').implement({
  description: 'What a rule remembers for a person in a project.',
  fields: (t) => ({
    ruleId: t.exposeString('ruleId', { description: 'Which rule.' }),
    projectId: t.exposeID('projectId', { description: 'Which project.' }),
    values: t.field({ type: 'JSON', description: 'By key.', resolve: ({ values }) => values }),
  }),
});

export async function stateOf(
  context: OracleContext,
  userId: string,
  projectId: string,
  ruleId: string,
): Promise<State> {
  const states = await context.rules.store.states(userId, projectId, ruleId);
  return { ruleId, projectId, values: states.get(ruleId) ?? {} };
}

/** A project that the caller may reach, by its id or their default one. */
export async function reachableProject(context: OracleContext, projectId: string | null | undefined) {
  const viewer = viewerOf(context);
  if (projectId === null || projectId === undefined) return context.vault.defaultProject(viewer.userId);
  const project = isIdentifier(projectId) ? await context.vault.findProject(projectId) : undefined;
  return project && viewer.mayReach(project.userId) ? project : undefined;
}

builder.queryFields((t) => ({
  rules: t.field({
    type: RuleConnection,
    description: 'All rules, by id, in pages.',
    args: pageArgs,
    resolve: async (_root, args, { rules }) => {
      await rules.book.ready();
      const all = [...rules.book.present.rules.values()].toSorted((one, other) =>
        one.declaration.id < other.declaration.id ? -1 : 1,
      );
      return answerPage(Promise.resolve().then(() => pageOfRules(all, args)));
    },
  }),
  rule: t.field({
    type: Rule,
    nullable: true,
    description: 'A rule by its id; null when there is none.',
    args: { id: t.arg.string({ required: true, description: 'The id of the rule.' }) },
    resolve: async (_root, { id }, { rules }) => {
      await rules.book.ready();
      return rules.book.present.rules.get(id) ?? null;
    },
  }),
  ruleProblems: t.field({
    type: [RuleProblem],
    description: 'The rules that are not used because something is wrong with them. Administrators only.',
    authScopes: { admin: true },
    resolve: async (_root, _args, { rules }) => {
      await rules.book.ready();
      return [...rules.book.present.problems];
    },
  }),
  ruleFirings: t.field({
    type: RuleFiringConnection,
    description: "What a rule did, newest first: in the caller's runs; for administrators in everybody's.",
    args: { ruleId: t.arg.string({ required: true, description: 'Which rule.' }), ...pageArgs },
    resolve: (_root, { ruleId, ...args }, context) => firingsOf(context, ruleId, args),
  }),
  ruleState: t.field({
    type: RuleState,
    nullable: true,
    description: 'What a rule remembers for the owner of a project; null when there is no such rule or project.',
    args: {
      ruleId: t.arg.string({ required: true, description: 'Which rule.' }),
      projectId: t.arg.id({ description: "Which project; without it, the caller's default one." }),
    },
    resolve: async (_root, { ruleId, projectId }, context) => {
      await context.rules.book.ready();
      const project = await reachableProject(context, projectId);
      if (!project || !context.rules.book.present.rules.has(ruleId)) return null;
      return stateOf(context, project.userId, project.id, ruleId);
    },
  }),
}));

function pageOfRules(all: readonly LoadedRule[], request: PageRequest) {
  const { size, after, page } = pageByText<LoadedRule>(request);
  const from = after === null ? 0 : all.findIndex(({ declaration }) => declaration.id > after);
  const found = from < 0 ? [] : all.slice(from, from + size + 1);
  return page(found, all.length, ({ declaration }) => declaration.id);
}
