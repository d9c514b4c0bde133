import type { AgentConfig, ModelSettings } from '../agent/config.ts';
import { createDecisionTree, type DecisionTree, UnknownDecisionTree } from '../agent/decision-tree.ts';
import { checkChange, type SettingValues } from '../agent/settings.ts';
import { type Models, UnknownModel } from '../models/model-registry.ts';
import { isModelAllowed, notAllowed, readAllowedModels } from '../settings/allowed-models.ts';
import { agentConfigGroup, modelSettingsGroup } from '../settings/setting-group.ts';
import type { SettingsInForce, UserSettingsService } from '../settings/user-settings-service.ts';
import type { AskOutcome, Question } from './ask.ts';
import type { PlanBasis } from './plan-basis.ts';
import { checkQuestion } from './question.ts';

export interface PlanDependencies {
  readonly models: Models;
  readonly settings: UserSettingsService;
}

export type Refusal = Extract<AskOutcome, { readonly type: 'refused' }>;

/** Everything about a run that is settled before it begins. */
export interface Plan {
  readonly question: string;
  readonly config: AgentConfig & { readonly version: number };
  readonly modelSettings: ModelSettings;
  readonly modelName: string;
  readonly model: Exclude<ReturnType<Models['find']>, UnknownModel>;
  readonly treeName: string;
  readonly tree: DecisionTree;
}

/** The first step of a run: checks the question, and finds the settings that it will run under. */
export function planRun(
  { models, settings }: PlanDependencies,
  asked: Question,
  { settings: stored }: PlanBasis,
): Plan | Refusal {
  const checked = checkQuestion(asked.question);
  if (checked.type === 'refused') return checked;
  const override = Object.fromEntries(Object.entries(asked.config ?? {}).filter(([, value]) => value != null));
  const problems = checkChange(agentConfigGroup.fields, override);
  if (problems.length > 0) {
    return { type: 'refused', message: problems.map((problem) => problem.message).join(' '), problems };
  }
  const limits = settings.layer(agentConfigGroup, stored, override as SettingValues);
  const modelValues = settings.layer(modelSettingsGroup, stored);
  const allowed = readAllowedModels(stored.organisation.modelCeilings);
  const config = { ...valuesOf<AgentConfig>(limits), version: limits.version };
  const chosen = valuesOf<ModelSettings>(modelValues);
  const modelName = asked.model ?? chosen.oracleModel;
  const [unfit] = checkChange(modelSettingsGroup.fields, { oracleModel: modelName });
  if (unfit) return { type: 'refused', message: unfit.message };
  const ownChoice = asked.model == null ? ' It is the model of your settings: choose another one there.' : '';
  if (!isModelAllowed(allowed, modelName)) {
    return { type: 'refused', message: `${notAllowed(allowed, modelName)}${ownChoice}` };
  }
  // A sub-agent's model that was allowed once gives way to the one that answers.
  const subagentModel = isModelAllowed(allowed, chosen.subagentModel) ? chosen.subagentModel : modelName;
  const modelSettings = { ...chosen, subagentModel };
  const model = models.find(modelName);
  if (model instanceof UnknownModel) {
    return { type: 'refused', message: `${model.message}${ownChoice}` };
  }
  const treeName = asked.decisionTree ?? 'default';
  try {
    const tree = createDecisionTree(treeName, config);
    return { question: checked.question, config, modelSettings, modelName, model, treeName, tree };
  } catch (error) {
    if (error instanceof UnknownDecisionTree) return { type: 'refused', message: error.message };
    throw error;
  }
}

function valuesOf<Values>({ fields }: SettingsInForce): Values {
  return Object.fromEntries(fields.map(({ field, value }) => [field, value])) as Values;
}
