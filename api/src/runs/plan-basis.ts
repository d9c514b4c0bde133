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
  readonly #reading = new Map<string, Promise<PlanBasis>>();

  constructor(
    private readonly settings: UserSettingsService,
    private readonly vault: Pick<VaultService, 'defaultProject'>,
  ) {}

  /** From memory, or from a reading that is under way: to be doubted, as it may have begun before something changed. */
  async known(userId: string): Promise<PlanBasis | undefined> {
    await this.#reading.get(userId)?.catch(() => undefined);
    return this.#remembered.get(userId);
  }

  /** As it is now. */
  read(userId: string): Promise<PlanBasis> {
    const reading = this.#read(userId).finally(() => {
      if (this.#reading.get(userId) === reading) this.#reading.delete(userId);
    });
    this.#reading.set(userId, reading);
    return reading;
  }

  async #read(userId: string): Promise<PlanBasis> {
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
