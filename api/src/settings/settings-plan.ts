import {
  type Ceilings,
  checkChange,
  type EffectiveSetting,
  type FieldProblem,
  layerSettings,
  readStored,
  type SettingValue,
  type SettingValues,
} from '../agent/settings.ts';
import type { Organisation } from '../store/entities/organisation.ts';
import type { UserSettings } from '../store/entities/user-settings.ts';
import { isModelAllowed, notAllowed, readAllowedModels } from './allowed-models.ts';
import { modelFields, type SettingGroup } from './setting-group.ts';

/** Pure: what a change would do. A preview and the change itself ask the same question here. */

export interface Stored {
  readonly user: Pick<UserSettings, SettingGroup['values'] | SettingGroup['version']> | undefined;
  readonly organisation: Pick<
    Organisation,
    'agentDefaults' | 'agentCeilings' | 'modelDefaults' | 'modelCeilings' | 'version'
  >;
}

/** As long as these are the same, so are the settings. */
export interface SettingsVersions {
  readonly agentConfig: number;
  readonly modelSettings: number;
  readonly organisation: number;
}

/** Of settings that nobody has changed, whether or not there is a row. */
const firstVersion = 1;

export function versionsOf({ user, organisation }: Stored): SettingsVersions {
  return {
    agentConfig: user?.agentConfigVersion ?? firstVersion,
    modelSettings: user?.modelSettingsVersion ?? firstVersion,
    organisation: organisation.version,
  };
}

/** The same without ties to the unit of work that read it, to be kept. */
export function keptSettings({ user, organisation }: Stored): Stored {
  const { agentDefaults, agentCeilings, modelDefaults, modelCeilings, version } = organisation;
  return {
    user: user && {
      agentConfig: user.agentConfig,
      agentConfigVersion: user.agentConfigVersion,
      modelSettings: user.modelSettings,
      modelSettingsVersion: user.modelSettingsVersion,
    },
    organisation: { agentDefaults, agentCeilings, modelDefaults, modelCeilings, version },
  };
}

/** A person's settings in force, before any one query's own. */
export interface SettingsInForce {
  readonly fields: readonly EffectiveSetting[];
  readonly version: number;
}

/** What a change is checked against, besides what is stored. */
export interface SettingsGround {
  /** Defaults that this server was started with, over those of the schema. */
  readonly builtIn: SettingValues;
  /** Why nobody can ask a model here, in a sentence; undefined when it can be asked. */
  readonly whyNoModel: (model: string) => string | undefined;
}

/** What somebody wants: values to set (undefined is no part of it), and fields to forget. */
export interface SettingsWish {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly clear?: readonly string[];
}

/** One field that the change moves: what the person has set, and what is in force, before and after. */
export interface FieldMove {
  readonly field: string;
  readonly from: SettingValue | undefined;
  readonly to: SettingValue | undefined;
  readonly before: EffectiveSetting;
  readonly after: EffectiveSetting;
}

export interface SettingsPlan {
  readonly set: SettingValues;
  readonly clear: readonly string[];
  readonly moves: readonly FieldMove[];
  readonly problems: readonly FieldProblem[];
}

export function planSettings(
  group: SettingGroup,
  ground: SettingsGround,
  stored: Stored,
  { set = {}, clear = [] }: SettingsWish,
): SettingsPlan {
  const ceilings = ceilingsOf(group, stored.organisation);
  const problems = [...checkChange(group.fields, set, { ceilings }), ...checkModels(group, ground, stored, set)];
  if (problems.length > 0) return { set: {}, clear: [], moves: [], problems };
  const own = readStored(group.fields, stored.user?.[group.values]);
  const wanted = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as SettingValues;
  const forgotten = clear.filter((name) => Object.hasOwn(own, name));
  const next: Record<string, SettingValue> = { ...own, ...wanted };
  for (const name of forgotten) delete next[name];
  const [before, after] = [layer(own), layer(next)];
  const moves = group.fields.flatMap(({ name }, index): FieldMove[] => {
    const [was, is] = [before[index], after[index]];
    return was && is && own[name] !== next[name]
      ? [{ field: name, from: own[name], to: next[name], before: was, after: is }]
      : [];
  });
  return { set: wanted, clear: forgotten, moves, problems };

  function layer(user: SettingValues): readonly EffectiveSetting[] {
    const organisation = readStored(group.fields, stored.organisation[group.defaults]);
    return layerSettings(group.fields, { builtIn: ground.builtIn, organisation, user, ceilings });
  }
}

/** A model that is not there, or not allowed, is refused when it is chosen, not only when it is asked. */
function checkModels(
  group: SettingGroup,
  { whyNoModel }: SettingsGround,
  { organisation }: Stored,
  set: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
  const allowed = readAllowedModels(organisation.modelCeilings);
  return modelProblems(group, set, (model) =>
    isModelAllowed(allowed, model) ? whyNoModel(model) : notAllowed(allowed, model),
  );
}

/** What is wrong with the models that a change names, in those fields that hold the name of one. */
export function modelProblems(
  group: SettingGroup,
  set: Readonly<Record<string, unknown>>,
  whyNot: (model: string) => string | undefined,
): readonly FieldProblem[] {
  const named = group.fields.filter(({ name }) => modelFields.includes(name));
  return named.flatMap(({ name: field, accepts }) => {
    const value = set[field];
    if (typeof value !== 'string' || !accepts(value)) return [];
    const message = whyNot(value);
    return message === undefined ? [] : [{ field, message, value, min: undefined, max: undefined }];
  });
}

/** What is in force, and, with what a single query asks for, for that query. */
export function settingsInForce(
  group: SettingGroup,
  builtIn: SettingValues,
  { user, organisation }: Stored,
  query: SettingValues = {},
): SettingsInForce {
  const fields = layerSettings(group.fields, {
    builtIn,
    organisation: readStored(group.fields, organisation[group.defaults]),
    user: readStored(group.fields, user?.[group.values]),
    query,
    ceilings: ceilingsOf(group, organisation),
  });
  return { fields, version: user?.[group.version] ?? firstVersion };
}

function ceilingsOf(group: SettingGroup, organisation: Stored['organisation']): Ceilings {
  return readStored(group.fields, organisation[group.ceilings]) as Ceilings;
}
