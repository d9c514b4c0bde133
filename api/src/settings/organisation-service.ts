import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { checkChange, type FieldProblem, readStored, type SettingField, type SettingValue } from '../agent/settings.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Organisation, theOrganisation } from '../store/entities/organisation.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import { type AllowedModels, checkAllowedModels, isModelAllowed, readAllowedModels } from './allowed-models.ts';
import type { Outcome } from './outcome.ts';
import { agentConfigGroup, modelFields, modelSettingsGroup, type SettingGroup } from './setting-group.ts';
import { modelProblems, type SettingsGround } from './settings-plan.ts';

export interface OrganisationSetting {
  readonly field: string;
  readonly default: SettingValue | undefined;
  readonly ceiling: number | undefined;
}

export interface OrganisationSettings {
  readonly agentConfig: readonly OrganisationSetting[];
  readonly modelSettings: readonly OrganisationSetting[];
  /** The models that may answer; none named: all. */
  readonly allowedModels: AllowedModels;
  readonly version: number;
  readonly updatedAt: Date | undefined;
}

type Change = Readonly<Record<string, unknown>>;

/** Only the fields present change; null clears one. */
export interface OrganisationChange {
  readonly defaults?: Change | undefined;
  readonly ceilings?: Change | undefined;
  readonly modelDefaults?: Change | undefined;
  readonly modelCeilings?: Change | undefined;
}

/** The four parts of a change: where each is stored, which fields it may name and what the audit log calls it. */
export const organisationParts = [
  { part: 'defaults', group: agentConfigGroup, column: 'agentDefaults', layer: 'ORGANISATION' },
  { part: 'ceilings', group: agentConfigGroup, column: 'agentCeilings', layer: 'CEILING' },
  { part: 'modelDefaults', group: modelSettingsGroup, column: 'modelDefaults', layer: 'ORGANISATION' },
  { part: 'modelCeilings', group: modelSettingsGroup, column: 'modelCeilings', layer: 'CEILING' },
] as const;

export class OrganisationService {
  constructor(
    private readonly database: Database,
    /** The model of everybody for whom none was chosen, when this server was started. */
    private readonly defaultModel: string,
    private readonly whyNoModel: SettingsGround['whyNoModel'],
  ) {}

  async read(): Promise<OrganisationSettings> {
    return present(await this.database.fork().findOneOrFail(Organisation, theOrganisation));
  }

  /** Everything that is wrong with a change. */
  check(change: OrganisationChange): readonly FieldProblem[] {
    const problems = organisationParts.flatMap(({ part, group, layer }) => {
      const { allowedModels: _apart, ...fields } = change[part] ?? {};
      return checkChange(fieldsFor(group, layer), fields, { nullClears: true, prefix: `${part}.` });
    });
    const models = modelProblems(modelSettingsGroup, change.modelDefaults ?? {}, this.whyNoModel);
    return [
      ...problems,
      ...models.map((problem) => ({ ...problem, field: `modelDefaults.${problem.field}` })),
      ...checkAllowedModels(change.modelCeilings?.allowedModels),
    ];
  }

  async update(request: {
    actorId: string;
    expectedVersion?: number | undefined;
    change: OrganisationChange;
  }): Promise<Outcome<OrganisationSettings>> {
    const problems = this.check(request.change);
    if (problems.length > 0) return { type: 'invalid', problems };
    return this.database.fork().transactional(async (em) => {
      const row = await em.findOneOrFail(Organisation, theOrganisation, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (request.expectedVersion !== undefined && request.expectedVersion !== row.version) {
        return { type: 'conflict', settings: present(row) };
      }
      const wrong = this.#checkDefaults(row, request.change);
      if (wrong.length > 0) return { type: 'invalid', problems: wrong };
      if (organisationParts.some(({ part }) => isNamed(request.change[part])))
        await apply(em, row, request.actorId, request.change);
      return { type: 'saved', settings: present(row) };
    });
  }

  /** Whoever chose nothing must be able to ask: the defaults have to be among the models allowed. */
  #checkDefaults(row: Organisation, change: OrganisationChange): readonly FieldProblem[] {
    const allowed = readAllowedModels({ ...asObject(row.modelCeilings), ...named(change.modelCeilings) });
    const defaults: Change = { ...asObject(row.modelDefaults), ...named(change.modelDefaults) };
    return modelFields.flatMap((name) => {
      const model = String(defaults[name] ?? this.defaultModel);
      if (isModelAllowed(allowed, model)) return [];
      const touched = change.modelDefaults?.[name] !== undefined;
      const message = `The default model "${model}" must be allowed too. Allowed: ${allowed.join(', ')}.`;
      const field = touched ? `modelDefaults.${name}` : 'allowedModels';
      return [{ field, message, value: touched ? model : allowed, min: undefined, max: undefined }];
    });
  }
}

function present(row: Organisation): OrganisationSettings {
  const settingsOf = (group: SettingGroup): readonly OrganisationSetting[] => {
    const defaults = readStored(group.fields, row[group.defaults]);
    const ceilings = readStored(fieldsFor(group, 'CEILING'), row[group.ceilings]);
    return group.fields.map(({ name }) => ({
      field: name,
      default: defaults[name],
      ceiling: ceilings[name] as number,
    }));
  };
  return {
    agentConfig: settingsOf(agentConfigGroup),
    modelSettings: settingsOf(modelSettingsGroup),
    allowedModels: readAllowedModels(row.modelCeilings),
    version: row.version,
    updatedAt: row.updatedAt ?? undefined,
  };
}

/** Only numbers can be capped. */
function fieldsFor(group: SettingGroup, layer: 'ORGANISATION' | 'CEILING'): readonly SettingField[] {
  return layer === 'CEILING' ? group.fields.filter((field) => field.kind === 'WHOLE_NUMBER') : group.fields;
}

function asObject(stored: unknown): Change {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}

/** Only what is part of the change. */
function named(change: Change | undefined): Change {
  return Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined));
}

function isNamed(change: Change | undefined): boolean {
  return Object.values(change ?? {}).some((value) => value !== undefined);
}

async function apply(em: EntityManager, row: Organisation, actorId: string, change: OrganisationChange): Promise<void> {
  row.version += 1;
  row.updatedAt = new Date();
  for (const { part, group, column, layer } of organisationParts) {
    const stored = row[column];
    const before: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
    const after = { ...before };
    for (const [field, value] of Object.entries(change[part] ?? {})) {
      if (value === undefined) continue;
      if (value === null) delete after[field];
      else after[field] = value;
      const [oldValue, newValue] = [before[field] ?? null, value];
      if (JSON.stringify(oldValue) === JSON.stringify(newValue)) continue;
      em.create(SettingChange, { actorId, group: group.name, layer, field, oldValue, newValue, version: row.version });
    }
    row[column] = after;
  }
  await em.flush();
  await announce(em, { type: 'settings-changed', userId: null });
}
