import { estimateTokenCount } from 'tokenx';
import { notFound } from '../access/access-error.ts';
import type { Json } from '../agent/json.ts';
import { grouped } from '../agent/words.ts';
import { isLogged, loggedMoments, stateAtStart } from '../rule-book/logged-run.ts';
import type { CheckedRule } from '../rule-book/rules.ts';
import { readRule } from '../rules/load-rules.ts';
import { pastMoments, withEffects } from '../rules/past-run.ts';
import { celType } from '../rules/rule-context.ts';
import { mergeSample, sampleFacts } from '../rules/sample.ts';
import { inWords, type TriedFiring, tryRule } from '../rules/try-rule.ts';
import { commonFacts, endingFacts, type FactSpecs, type HelperSpec, helpers, toolFacts } from '../rules/vocabulary.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { invalid, invalidTypes } from './problem.ts';
import { RuleProblem, RuleTrigger } from './rule.ts';
import { InvalidRule } from './rule-changes.ts';
import { reachableRun } from './run.ts';

const RuleCheck = builder.objectRef<CheckedRule>('RuleCheck').implement({
  description: 'What an editor needs to know about the text of a rule.',
  fields: (t) => ({
    valid: t.boolean({
      description: 'Whether it could be saved as it is.',
      resolve: ({ problems }) => problems.length === 0,
    }),
    id: t.string({
      nullable: true,
      description: 'The id in the text, as far as it can be read.',
      resolve: ({ id }) => id ?? null,
    }),
    problems: t.field({
      type: [RuleProblem],
      description: 'What is wrong with it.',
      resolve: ({ problems }) => [...problems],
    }),
  }),
});

interface Word {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

const RuleWord = builder.objectRef<Word>('RuleWord').implement({
  description: 'Something that a condition may ask about, or a function that it may call.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'As it is written: tokens.share, or toolFailed.' }),
    type: t.exposeString('type', { description: 'Its type in CEL, or the signature of the function.' }),
    help: t.exposeString('help', { description: 'What it means.' }),
  }),
});

interface Tested {
  readonly tried: readonly TriedFiring[];
  readonly asked: number;
  /** What the answer does not rest on, in sentences. */
  readonly gaps?: readonly string[];
}

const TriedRuleFiring = builder.objectRef<TriedFiring>('TriedRuleFiring').implement({
  description: 'What a rule would have done at one moment.',
  fields: (t) => ({
    turn: t.exposeInt('turn', { description: 'In which turn; 0 before the first.' }),
    trigger: t.field({ type: RuleTrigger, description: 'What woke it.', resolve: ({ trigger }) => trigger }),
    effect: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it would have done; null when it would have failed.',
      resolve: ({ effect }) => effect ?? null,
    }),
    error: t.string({
      nullable: true,
      description: 'Why it would have failed.',
      resolve: ({ error }) => error ?? null,
    }),
  }),
});

const RuleTest = builder.objectRef<Tested>('RuleTest').implement({
  description: 'What a rule would have done. Nothing was done.',
  fields: (t) => ({
    message: t.string({
      description: 'In a sentence: "It would have fired at turns 3 and 7." Another says what could not be looked at.',
      resolve: ({ tried, asked, gaps = [] }) => [inWords(tried, asked), ...gaps].join(' '),
    }),
    turns: t.intList({
      description: 'The turns at which it would have fired.',
      resolve: ({ tried }) => [...new Set(tried.filter(({ effect }) => effect).map(({ turn }) => turn))],
    }),
    asked: t.exposeInt('asked', { description: 'How often it would have been asked.' }),
    firings: t.field({
      type: [TriedRuleFiring],
      description: 'Each firing, in order.',
      resolve: ({ tried }) => [...tried],
    }),
  }),
});

const TestRuleResult = builder.unionType('TestRuleResult', {
  description: 'What the rule would have done, or why it could not be tried.',
  types: [RuleTest, InvalidRule, invalidTypes.InvalidInput],
  resolveType: (value) => ('ruleProblems' in value ? 'InvalidRule' : 'problems' in value ? 'InvalidInput' : 'RuleTest'),
});

const TestRuleInput = builder.inputType('TestRuleInput', {
  description: 'A rule, and what to try it on: a past run, or a sample.',
  fields: (t) => ({
    ruleId: t.string({ description: 'A rule that there is.' }),
    text: t.string({ description: 'Or the text of one, for administrators.' }),
    runId: t.id({ description: 'A past run that the caller may see.' }),
    sample: t.field({
      type: 'JSON',
      description:
        'Or facts such as { "turn": 9, "tokens": { "share": 0.7 } }; the rest is as in an ordinary third turn.',
    }),
  }),
});

builder.queryFields((t) => ({
  checkRule: t.field({
    type: RuleCheck,
    description: 'Checks the text of a rule without saving it, for an editor. Administrators only.',
    authScopes: { admin: true },
    args: {
      text: t.arg.string({ required: true, description: 'The rule, in TOML.' }),
      id: t.arg.string({ description: 'The rule to be changed; without it, a new one.' }),
    },
    resolve: (_root, { text, id }, { rules }) => rules.check(text, id ?? undefined),
  }),
  testRule: t.field({
    type: TestRuleResult,
    description: 'Tries a rule on a past run or on a sample. Nothing is changed by it.',
    args: { input: t.arg({ type: TestRuleInput, required: true, description: 'Which rule, and on what.' }) },
    resolve: async (_root, { input: { ruleId, text, runId, sample } }, context) => {
      if (text != null) viewerOf(context).assertAdmin();
      await context.rules.book.ready();
      const read = text != null ? readRule({ file: 'rule', text, origin: 'ORGANISATION' }) : undefined;
      if (read?.type === 'broken') return { ruleProblems: read.problems };
      const rule = read?.rule ?? context.rules.book.present.rules.get(ruleId ?? '');
      if (!rule) return problem('ruleId', 'There is no such rule.', ruleId);
      const { trigger } = rule.declaration;
      if (runId != null) return { ...(await triedOnRun(context, runId, rule)) };
      const facts = sample == null ? sampleFacts(trigger) : mergeSample(trigger, sample as Json);
      if ('problems' in facts) return problem('sample', facts.problems.join(' '), null);
      return {
        tried: tryRule(rule, [{ trigger, turn: facts.turn, facts: (own) => withEffects(facts, own) }]),
        asked: 1,
      };
    },
  }),
  ruleWords: t.field({
    type: [RuleWord],
    description: 'What the conditions of a trigger may ask about and call, by name.',
    args: { trigger: t.arg({ type: RuleTrigger, required: true, description: 'Which trigger.' }) },
    resolve: (_root, { trigger }) => [
      ...wordsOf({
        ...commonFacts,
        ...(trigger.startsWith('TOOL_') ? toolFacts : {}),
        ...(trigger === 'SESSION_END' ? endingFacts : {}),
      }),
      ...Object.entries<HelperSpec>(helpers).map(([name, { signatures, help }]) => ({
        name,
        type: signatures.join('; '),
        help,
      })),
    ],
  }),
}));

async function triedOnRun(context: OracleContext, runId: string, rule: Parameters<typeof tryRule>[0]): Promise<Tested> {
  const run = await reachableRun(context, runId);
  if (!run) throw notFound('run');
  const projectId = run.projectId ?? '';
  const [{ events, complete }, chunks, decisions, owner, project] = await Promise.all([
    context.runs.store.eventsFromStart(run.id),
    context.runs.store.work(run.id),
    context.runs.store.decisions(run.id),
    context.people.find(run.userId),
    projectId ? context.vault.findProject(projectId) : undefined,
  ]);
  const past = {
    ...run,
    projectId,
    ending: run.ending ?? null,
    role: owner?.role ?? 'USER',
    projectName: project?.name ?? '',
    chunks,
    decisions,
    estimateTokens: estimateTokenCount,
  };
  const moments = isLogged(events) ? loggedMoments(past, events) : pastMoments(past);
  const { id, trigger } = rule.declaration;
  const asked = moments.filter((moment) => moment.trigger === trigger).length;
  const remembered = stateAtStart(events, id);
  const gaps = [
    ...(complete ? [] : [`Only the first ${grouped(events.length)} events of the run were looked at.`]),
    ...(remembered === undefined && asksForState.test(rule.text) ? [stateUnknown] : []),
  ];
  return { tried: tryRule(rule, moments, remembered), asked, gaps };
}

/** The fact or one of the helpers; not the action that sets it. */
const asksForState = /\bstate(?:Number|Text|Flag)?\b/;
const stateUnknown = 'What it remembered when the run began is not known: it was tried as if that were nothing.';

function problem(field: string, message: string, value: unknown) {
  return invalid([{ field, message, value: value ?? null, min: undefined, max: undefined }]);
}

function wordsOf(facts: FactSpecs): readonly Word[] {
  return Object.entries(facts).flatMap(([name, spec]) => {
    const word = { name, type: celType(spec), help: spec.help };
    if (spec.type !== 'object') return [word];
    return wordsOf(spec.fields).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }));
  });
}
