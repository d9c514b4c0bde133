import { storableText } from '../agent/storable.ts';
import type { EventBus } from '../events/bus.ts';
import type { EventPorts, RunView } from '../events/run-events.ts';
import type { Logger } from '../logger.ts';
import { readRule } from '../rules/load-rules.ts';
import type { RuleProblem } from '../rules/rule.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { RuleFiring } from '../store/entities/rule-firing.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import { within } from '../within.ts';
import { FiringLog } from './firing-log.ts';
import { RuleBook, takenBy } from './rule-book.ts';
import { type OrganisationRule, RuleStore } from './rule-store.ts';
import type { AboutRun } from './run-facts.ts';
import { RunRules } from './run-rules.ts';
import type { Switches } from './switches.ts';

export interface RulesDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly log: Logger;
  readonly builtIn: string;
  /** Where whoever runs the server puts theirs, if they may. */
  readonly own: string | undefined;
}

/** The rules of a run that is about to begin, and what to do when it has ended. */
export interface RulesOfRun {
  /** For the run's bus. A sub-agent has no rules of its own: what it uses up is its run's. */
  listeners(view: RunView, about: AboutRun): EventPorts['listeners'];
  /** Stores what is still to be stored. */
  end(): Promise<void>;
}

export type SaveRuleOutcome =
  | { readonly type: 'saved'; readonly ruleId: string }
  | { readonly type: 'invalid'; readonly problems: readonly RuleProblem[] }
  | { readonly type: 'conflict'; readonly current: OrganisationRule | undefined };

/** The id as far as it can be read. */
export interface CheckedRule {
  readonly id: string | undefined;
  readonly problems: readonly RuleProblem[];
}

/** A run does not wait longer than this for its rules. */
const patienceAtStart = 2_000;
/** A run's last word does not wait longer than this for what its rules did to be stored. */
const patienceAtEnd = 500;

/** Everything about rules that the rest of the server uses. */
export class Rules {
  readonly store: RuleStore;
  readonly book: RuleBook;
  readonly #database: Database;
  readonly #log: Logger;

  constructor({ database, changes, log, builtIn, own }: RulesDependencies) {
    this.#database = database;
    this.#log = log;
    this.store = new RuleStore(database);
    this.book = new RuleBook({ store: this.store, changes, log, builtIn, own });
  }

  /** A run never waits for rules that cannot be read: it begins without them. */
  async openRun(run: { runId: string; userId: string; projectId: string }): Promise<RulesOfRun | undefined> {
    const { runId, userId, projectId } = run;
    const report = (error: unknown) => this.#log.warn({ runId, reason: String(error) }, 'rules could not be stored');
    let rules: RunRules | undefined;
    let personal: Switches | undefined;
    let [readings, known] = [0, 0];
    const listening = this.book.onChange(userId, async () => {
      readings += 1;
      const reading = readings;
      await this.store.switches(userId).then((found) => {
        if (reading < known) return; // overtaken by one that began later
        known = reading;
        personal = found;
        rules?.use(found);
      }, report);
    });
    try {
      const reading = this.book.ready().then(() => this.store.subject(userId, projectId));
      const subject = await within(patienceAtStart, reading);
      if (!subject) throw new Error(`There was no answer for ${patienceAtStart} ms.`);
      const firings = new FiringLog(this.store, run, report);
      const common = { book: this.book, log: this.#log, ...run, firings };
      const listen = (bus: EventBus, view: RunView, about: AboutRun) => {
        const own = { ...subject, personal: personal ?? subject.personal };
        rules = new RunRules({ ...common, subject: own, about }, bus, view);
        rules.listen();
      };
      return {
        listeners: (view, about) => (view.subAgent === undefined ? [(bus) => listen(bus, view, about)] : []),
        end: async () => {
          listening.end();
          await within(patienceAtEnd, firings.flush());
        },
      };
    } catch (error) {
      listening.end();
      this.#log.warn({ runId, reason: String(error) }, 'a run goes without its rules');
      return undefined;
    }
  }

  /** What is wrong with the text of a new rule, or of the one with that id. */
  async check(text: string, expectedId?: string): Promise<CheckedRule> {
    const file = expectedId ?? 'rule';
    const read = readRule({ file, text, origin: 'ORGANISATION' });
    if (read.type === 'broken') return { id: read.id, problems: read.problems };
    const { id } = read.rule.declaration;
    await this.book.ready();
    const message = this.#objection(id, expectedId);
    return { id, problems: message === undefined ? [] : [{ file, line: 1, column: 1, message }] };
  }

  /** Takes a new rule, or another text for one; the id is in the text. */
  async save(
    actorId: string,
    text: string,
    expected: { id?: string; version?: number } = {},
  ): Promise<SaveRuleOutcome> {
    const { id, problems } = await this.check(text, expected.id);
    if (id === undefined || problems.length > 0) return { type: 'invalid', problems };
    const version = expected.id === undefined ? 0 : expected.version;
    const outcome = await this.store.save(actorId, id, text, version);
    if (outcome.type === 'conflict') return outcome;
    await this.book.refresh();
    return { type: 'saved', ruleId: id };
  }

  /** False when there is no such rule of the organisation's. One that is broken or has lost its id can be deleted too. */
  async delete(actorId: string, ruleId: string): Promise<boolean> {
    await this.book.ready();
    if (!this.book.present.versions.has(ruleId)) return false;
    await this.store.save(actorId, ruleId, null);
    await this.book.refresh();
    return true;
  }

  async setEnabled(actorId: string, ruleId: string, userId: string | null, enabled: boolean | null): Promise<void> {
    await this.store.setSwitch(actorId, ruleId, userId, enabled);
    await this.book.refresh(userId);
  }

  /** What a rule did, newest first, for everybody or for one person. */
  firings(ruleId: string, userId: string | undefined, request: PageRequest): Promise<Page<RuleFiring>> {
    return pageOf(this.#database.fork(), RuleFiring, {
      ...request,
      where: { ruleId: storableText(ruleId), ...(userId === undefined ? {} : { userId }) },
      orderBy: [{ at: 'desc' }, { runId: 'desc' }, { number: 'desc' }],
    });
  }

  close(): Promise<void> {
    return this.book.close();
  }

  /** Why a sound rule cannot have its id. */
  #objection(id: string, expectedId: string | undefined): string | undefined {
    const { rules, versions } = this.book.present;
    const holder = rules.get(id);
    if (holder && holder.origin !== 'ORGANISATION') return takenBy(id, holder);
    if (expectedId !== undefined)
      return expectedId === id ? undefined : `The id stays "${expectedId}"; for another one, make a new rule.`;
    return versions.has(id) ? takenBy(id, { origin: 'ORGANISATION', file: id }) : undefined;
  }
}
