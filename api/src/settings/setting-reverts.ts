import type { FieldProblem } from '../agent/settings.ts';
import type { OrganisationChange, OrganisationService } from './organisation-service.ts';
import { organisationParts } from './organisation-service.ts';
import type { SettingDifference } from './setting-difference.ts';
import type { SettingGroup } from './setting-group.ts';
import type { HistoryOf, SettingHistory } from './setting-history.ts';
import type { UserSettingsService } from './user-settings-service.ts';

export interface RevertRequest {
  readonly actorId: string;
  /** The settings are to be as they were after this version. */
  readonly to: number;
  readonly expectedVersion: number | undefined;
  readonly dryRun: boolean;
}

export type RevertOutcome =
  | {
      readonly type: 'reverted';
      readonly applied: boolean;
      readonly version: number;
      readonly differences: readonly SettingDifference[];
    }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly type: 'conflict'; readonly version: number };

/** Puts settings back to an earlier point of their history: an update like any other, checked and logged as one. */
export class SettingReverts {
  constructor(
    private readonly history: SettingHistory,
    private readonly settings: UserSettingsService,
    private readonly organisation: OrganisationService,
  ) {}

  async ofPerson(group: SettingGroup, userId: string, request: RevertRequest): Promise<RevertOutcome> {
    const { version } = await this.settings.inForce(group, userId);
    return this.#revert({ userId, group: group.name }, version, request, async (differences) => {
      const wish = {
        set: Object.fromEntries(differences.flatMap(({ field, to }) => (to === undefined ? [] : [[field, to]]))),
        clear: differences.flatMap(({ field, to }) => (to === undefined ? [field] : [])),
      };
      if (request.dryRun) {
        const { problems } = await this.settings.plan(group, userId, wish);
        return problems.length > 0 ? { type: 'invalid', problems } : { type: 'saved', settings: { version } };
      }
      return this.settings.change(group, { actorId: request.actorId, userId, expectedVersion: version }, wish);
    });
  }

  async ofOrganisation(request: RevertRequest): Promise<RevertOutcome> {
    const { version } = await this.organisation.read();
    return this.#revert({ userId: null }, version, request, async (differences) => {
      const change = organisationChange(differences);
      if (request.dryRun) {
        const problems = this.organisation.check(change);
        return problems.length > 0 ? { type: 'invalid', problems } : { type: 'saved', settings: { version } };
      }
      return this.organisation.update({ actorId: request.actorId, expectedVersion: version, change });
    });
  }

  /** What is undone was read at one version, and is written only while that version stands. */
  async #revert(
    subject: HistoryOf,
    present: number,
    request: RevertRequest,
    write: (differences: readonly SettingDifference[]) => Promise<Written>,
  ): Promise<RevertOutcome> {
    if (request.expectedVersion !== undefined && request.expectedVersion !== present) {
      return { type: 'conflict', version: present };
    }
    if (request.to < 1 || request.to > present) return { type: 'invalid', problems: [noSuchVersion(request, present)] };
    const differences = await this.history.between(subject, present, request.to);
    if (differences.length === 0) return { type: 'reverted', applied: !request.dryRun, version: present, differences };
    const outcome = await write(differences);
    switch (outcome.type) {
      case 'saved':
        return { type: 'reverted', applied: !request.dryRun, version: outcome.settings.version, differences };
      case 'invalid':
        return outcome;
      case 'conflict':
        return { type: 'conflict', version: outcome.settings.version };
    }
  }
}

type Written =
  | { readonly type: 'saved' | 'conflict'; readonly settings: { readonly version: number } }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] };

function noSuchVersion({ to }: RevertRequest, present: number): FieldProblem {
  const message = `Version must be between 1 and ${present}, the one that stands now; you sent ${to}.`;
  return { field: 'to', message, value: to, min: 1, max: present };
}

function organisationChange(differences: readonly SettingDifference[]): OrganisationChange {
  const change: Record<string, Record<string, unknown>> = {};
  for (const { group, layer, field, to } of differences) {
    const part = organisationParts.find((one) => one.group.name === group && one.layer === layer);
    if (part) change[part.part] = { ...change[part.part], [field]: to ?? null };
  }
  return change;
}
