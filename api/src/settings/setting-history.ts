import type { Viewer } from '../access/viewer.ts';
import type { Database } from '../store/database.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import { foldChanges, type SettingDifference, turnedRound } from './setting-difference.ts';

/** Whose history: a person's group of settings, or the organisation's, whose groups share one version. */
export type HistoryOf =
  | { readonly userId: string; readonly group: SettingChange['group'] }
  | { readonly userId: null; readonly group?: undefined };

/** The audit log, newest first. */
export class SettingHistory {
  constructor(private readonly database: Database) {}

  /** What the viewer may see: administrators everything, others what concerns themselves. */
  visibleTo(viewer: Viewer, request: PageRequest): Promise<Page<SettingChange>> {
    return this.#page(request, viewer.isAdmin ? {} : { userId: viewer.userId });
  }

  of(userId: string, request: PageRequest): Promise<Page<SettingChange>> {
    return this.#page(request, { userId });
  }

  ofOrganisation(request: PageRequest): Promise<Page<SettingChange>> {
    return this.#page(request, { userId: null });
  }

  /** How the settings after one version differ from those after another, in that direction. */
  async between({ userId, group }: HistoryOf, from: number, to: number): Promise<readonly SettingDifference[]> {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const groups: SettingChange['group'][] = group ? [group] : ['AGENT_CONFIG', 'MODEL_SETTINGS'];
    const where = { userId, group: { $in: groups }, version: { $gt: low, $lte: high } };
    const steps = await this.database.fork().find(SettingChange, where, { orderBy: { id: 'ASC' } });
    const differences = foldChanges(steps);
    return from <= to ? differences : turnedRound(differences);
  }

  #page(request: PageRequest, where: { userId?: string | null }): Promise<Page<SettingChange>> {
    return pageOf(this.database.fork(), SettingChange, { ...request, where, orderBy: [{ id: 'DESC' }] });
  }
}
