import type { Viewer } from '../access/viewer.ts';
import type { Database } from '../store/database.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';

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

  #page(request: PageRequest, where: { userId?: string | null }): Promise<Page<SettingChange>> {
    return pageOf(this.database.fork(), SettingChange, { ...request, where, orderBy: [{ id: 'DESC' }] });
  }
}
