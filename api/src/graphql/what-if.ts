import { badInput } from '../access/access-error.ts';
import { checkChange } from '../agent/settings.ts';
import type { MovedLimits } from '../agent/what-if.ts';
import { agentConfigGroup } from '../settings/setting-group.ts';
import { mostPastRuns } from '../usage/what-if-service.ts';
import type { AffectedRun, EarlierRuns, WhatIf } from '../usage/what-if-tally.ts';
import { builder } from './builder.ts';
import { TerminationReason } from './ending.ts';
import { defineEnum } from './enum.ts';
import { EndingCountType, UsageFilter, usageScope } from './usage.ts';

const moved = ['maxIterations', 'tokenBudget', 'timeoutSeconds', 'maxToolCallsPerTurn'] as const;

const MovedLimitsInput = builder.inputType('MovedLimits', {
  description: 'Limits as they might have been; those left out stay as they were for each run.',
  fields: (t) => ({
    maxIterations: t.int({ description: 'Turns.' }),
    tokenBudget: t.int({ description: 'Tokens.' }),
    timeoutSeconds: t.int({ description: 'Seconds.' }),
    maxToolCallsPerTurn: t.int({ description: 'Tool calls run in one turn.' }),
  }),
});

const FateKind = defineEnum('FateKind', 'How a run would have fared.', {
  EARLIER: 'It would have ended earlier.',
  OTHERWISE: 'It would have ended at the same place, for another reason.',
  FURTHER: 'It would have gone on; how far is not known.',
});

const EarlierRunsType = builder.objectRef<EarlierRuns>('EarlierRuns').implement({
  description: 'Runs that would have ended earlier, for one reason.',
  fields: (t) => ({
    reason: t.field({ type: TerminationReason, description: 'The reason.', resolve: ({ reason }) => reason }),
    runs: t.exposeInt('runs', { description: 'How many.' }),
    lostAnswers: t.exposeInt('lostAnswers', {
      description: 'How many of these had completed: their answers would have been cut.',
    }),
    savedTokens: t.exposeFloat('savedTokens', { description: 'Tokens they would not have used, at least.' }),
    savedMs: t.exposeFloat('savedMs', { description: 'Milliseconds they would not have taken, at least.' }),
  }),
});

const AffectedRunType = builder.objectRef<AffectedRun>('AffectedRun').implement({
  description: 'A run that would have fared differently.',
  fields: (t) => ({
    runId: t.id({ description: 'The run.', resolve: ({ run }) => run.id }),
    question: t.string({ description: 'What was asked.', resolve: ({ run }) => run.question }),
    startedAt: t.field({ type: 'DateTime', description: 'When it began.', resolve: ({ run }) => run.startedAt }),
    reason: t.field({ type: TerminationReason, description: 'How it ended.', resolve: ({ run }) => run.reason }),
    turns: t.int({ description: 'The turns it took.', resolve: ({ run }) => run.turns }),
    tokens: t.int({ description: 'The tokens it used.', resolve: ({ run }) => run.tokens }),
    durationMs: t.int({ description: 'The milliseconds it took.', resolve: ({ run }) => run.durationMs }),
    fate: t.field({
      type: FateKind,
      description: 'How it would have fared.',
      resolve: ({ fate }) => fate.type.toUpperCase() as 'EARLIER' | 'OTHERWISE' | 'FURTHER',
    }),
    wouldEnd: t.field({
      type: TerminationReason,
      nullable: true,
      description: 'How it would have ended; null when that is not known.',
      resolve: ({ fate }) => (fate.type === 'further' ? null : fate.reason),
    }),
    wouldTurns: t.int({
      nullable: true,
      description: 'The turns it would have begun; null unless it would have ended earlier.',
      resolve: ({ fate }) => (fate.type === 'earlier' ? fate.turns : null),
    }),
    savedTokens: t.int({
      description: 'Tokens it would not have used, at least.',
      resolve: ({ fate }) => (fate.type === 'earlier' ? fate.savedTokens : 0),
    }),
    savedMs: t.int({
      description: 'Milliseconds it would not have taken, at least.',
      resolve: ({ fate }) => (fate.type === 'earlier' ? fate.savedMs : 0),
    }),
  }),
});

const WhatIfType = builder.objectRef<WhatIf>('WhatIf').implement({
  description: 'How past runs would have fared under other limits.',
  fields: (t) => ({
    runs: t.exposeInt('runs', { description: 'How many were looked at, the newest first.' }),
    unknown: t.exposeInt('unknown', { description: 'Of how many nothing can be said: their course was not kept.' }),
    completed: t.exposeInt('completed', { description: 'How many of them had completed.' }),
    tokens: t.exposeFloat('tokens', { description: 'All tokens they used.' }),
    durationMs: t.exposeFloat('durationMs', { description: 'All milliseconds they took.' }),
    earlier: t.field({
      type: [EarlierRunsType],
      description: 'Those that would have ended earlier, by the reason they would have ended for.',
      resolve: ({ earlier }) => [...earlier],
    }),
    otherwise: t.field({
      type: [EndingCountType],
      description: 'Those that would have ended at the same place for another reason, by that reason.',
      resolve: ({ otherwise }) => [...otherwise],
    }),
    further: t.field({
      type: [EndingCountType],
      description: 'Those that would have gone on, by how they did end; how far is not known.',
      resolve: ({ further }) => [...further],
    }),
    callsNotRun: t.exposeInt('callsNotRun', {
      description: 'How many more tool calls would not have been run; negative when more would have been.',
    }),
    runsWithCallsNotRun: t.exposeInt('runsWithCallsNotRun', {
      description: 'In how many runs that would have been so.',
    }),
    affected: t.field({
      type: [AffectedRunType],
      description: 'At most 100 of those that would have fared differently: lost answers first, then the newest.',
      resolve: ({ affected }) => [...affected],
    }),
  }),
});

builder.queryField('whatIf', (t) =>
  t.field({
    type: WhatIfType,
    description:
      'How past runs would have fared under other limits, judged by the conditions that judged them. Changes nothing.',
    args: {
      filter: t.arg({ type: UsageFilter, description: "Whose; without it, the caller's own." }),
      limits: t.arg({ type: MovedLimitsInput, required: true, description: 'The limits as they might have been.' }),
      last: t.arg.int({
        defaultValue: mostPastRuns,
        description: 'How many of the newest runs to look at; at most 10 000.',
      }),
    },
    resolve: async (_root, { filter, limits, last }, context) => {
      const scope = await usageScope(context, filter);
      const given = Object.fromEntries(
        moved.flatMap((name) => (limits[name] == null ? [] : [[name, limits[name]] as const])),
      );
      const problems = checkChange(agentConfigGroup.fields, given).map(({ message }) => message);
      const most = last ?? mostPastRuns;
      if (most < 1 || most > mostPastRuns)
        problems.push(`last must be between 1 and ${mostPastRuns}; you sent ${most}.`);
      if (problems.length > 0) throw badInput(problems.join(' '));
      return context.whatIf.ask(scope, given as MovedLimits, most);
    },
  }),
);
