import { keptSettings, type SettingsVersions, type Stored, versionsOf } from '../settings/settings-plan.ts';
import type { UserSettingsService } from '../settings/user-settings-service.ts';
import type { VaultService } from '../vault/vault-service.ts';

/** What planning a run needs from the database, besides the question. */
export interface PlanBasis {
  readonly settings: Stored;
  readonly defaultProjectId: string;
  /** Present when it is from memory and may have changed: starting the run finds out. */
  readonly doubted?: SettingsVersions;
}

const mostRemembered = 10_000;

/**
 * Remembers what runs were planned from, person by person, so that starting one takes a single round trip. Nothing here
 * is trusted: the statement that starts a run compares the versions, and what is outdated is read again.
 */
export class PlanBases {
  readonly #remembered = new Map<string, PlanBasis>();

  constructor(
    private readonly settings: UserSettingsService,
    private readonly vault: Pick<VaultService, 'defaultProject'>,
  ) {}

  remembered(userId: string): PlanBasis | undefined {
    return this.#remembered.get(userId);
  }

  async read(userId: string): Promise<PlanBasis> {
    const settings = keptSettings(await this.settings.load(userId));
    const { id: defaultProjectId } = await this.vault.defaultProject(userId);
    const basis = { settings, defaultProjectId };
    this.#remembered.delete(userId);
    this.#remembered.set(userId, { ...basis, doubted: versionsOf(settings) });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > mostRemembered && oldest !== undefined) this.#remembered.delete(oldest);
    return basis;
  }
}
