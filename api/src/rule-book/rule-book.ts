import { ProblemLog } from '../declarations/problem-log.ts';
import { readFolder } from '../declarations/read-folder.ts';
import { type FolderWatch, watchFolder } from '../declarations/watch-folder.ts';
import type { Logger } from '../logger.ts';
import { type ReadRule, type Rule, type RuleText, readRule } from '../rules/load-rules.ts';
import type { RuleProblem } from '../rules/rule.ts';
import type { ChangeFeed } from '../store/changes.ts';
import { type Watch, Watchers } from '../watchers.ts';
import { type PlacedRules, placeRules } from './placed-rules.ts';
import type { RuleStore } from './rule-store.ts';
import { isEnabled, type Switches } from './switches.ts';

/** All rules at one moment. Never changed: a change makes another. */
export interface RuleSet {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly problems: readonly RuleProblem[];
  /** Versions of those that administrators wrote. */
  readonly versions: ReadonlyMap<string, number>;
  readonly organisation: Switches;
}

export interface RuleBookDependencies {
  readonly store: RuleStore;
  readonly changes: ChangeFeed;
  readonly log: Logger;
  /** Where the built-in ones lie. */
  readonly builtIn: string;
  /** Where whoever runs the server puts theirs. */
  readonly own: string | undefined;
}

type RuleChangeListener = () => Promise<void>;

const mostChoices = 100;
const nothing: RuleSet = { rules: new Map(), problems: [], versions: new Map(), organisation: new Map() };

/**
 * Every rule that there is, kept up to date: read again when a file or, on whatever server, an organisation's rule or
 * switch changes. Runs take the present set at each turn, so nothing under way is disturbed.
 */
export class RuleBook {
  #present: RuleSet = nothing;
  /** What counts for people, by what they have switched. */
  #placed: { readonly of: RuleSet; readonly byChoice: Map<string, PlacedRules> } | undefined;
  #read: Promise<void> | undefined;
  #again = false;
  #known = new Map<string, ReadRule>();
  #watch: Promise<FolderWatch | undefined>;
  readonly #problemLog: ProblemLog;
  readonly #stopListening: () => void;
  /** By person. */
  readonly #listeners = new Watchers<RuleChangeListener>();

  constructor(private readonly dependencies: RuleBookDependencies) {
    const { changes, own, log } = dependencies;
    this.#problemLog = new ProblemLog(log, 'a rule is not used');
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'rules-changed') void this.#changed(change.userId);
      if (change.type === 'changes-missed') void this.#changed(null);
    });
    this.#watch = own
      ? watchFolder(
          own,
          () => this.#changed(null),
          (error) => log.warn({ reason: String(error) }, 'the folder of rules could not be read'),
        )
      : Promise.resolve(undefined);
    void this.ready().catch(() => undefined); // tried again by whoever asks
  }

  /** Resolves when the rules were read at least once. */
  ready(): Promise<void> {
    this.#read ??= this.#readAll().catch((error: unknown) => {
      this.#read = undefined;
      throw error;
    });
    return this.#read;
  }

  get present(): RuleSet {
    return this.#present;
  }

  /** Those that count for a person. */
  inForce(personal: Switches): readonly Rule[] {
    const { rules, organisation } = this.#present;
    return [...rules.values()].filter(({ declaration }) => isEnabled(declaration, organisation, personal));
  }

  /** The same, by the event that wakes them and in order. Found out once for all who have switched the same. */
  placed(personal: Switches): PlacedRules {
    if (this.#placed?.of !== this.#present) this.#placed = { of: this.#present, byChoice: new Map() };
    const { byChoice } = this.#placed;
    const choice = personal.size === 0 ? '' : [...personal].sort().join(' ');
    const known = byChoice.get(choice);
    if (known) return known;
    const rules = placeRules(this.inForce(personal));
    if (byChoice.size < mostChoices) byChoice.set(choice, rules);
    return rules;
  }

  /** Told when the rules of this person may be others. */
  onChange(userId: string, listener: RuleChangeListener): Watch {
    return this.#listeners.add(userId, listener);
  }

  async close(): Promise<void> {
    this.#stopListening();
    await (await this.#watch)?.close();
    await this.#read?.catch(() => undefined);
  }

  /** What was saved here is in force here when the caller hears of it, before the announcement comes back. */
  async refresh(userId: string | null = null): Promise<void> {
    await this.#changed(userId);
  }

  async #changed(userId: string | null): Promise<void> {
    if (userId === null) await this.#readAgain();
    const concerned = userId === null ? this.#listeners.topics : [userId];
    await Promise.all(concerned.flatMap((each) => this.#listeners.of(each).map((listener) => listener())));
  }

  /** One reading at a time; a change during it causes one more. */
  async #readAgain(): Promise<void> {
    const before = this.#read;
    if (before && this.#again) return before;
    this.#again = true;
    this.#read = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#again = false;
        return this.#readAll();
      })
      .catch((error: unknown) => {
        this.#read = undefined;
        this.dependencies.log.warn({ reason: String(error) }, 'the rules could not be read again');
      });
    return this.#read;
  }

  async #readAll(): Promise<void> {
    const { store, builtIn, own } = this.dependencies;
    const [product, folder, written, organisation] = await Promise.all([
      readFolder(builtIn),
      own ? readFolder(own) : { files: [], problems: [] },
      store.organisationRules(),
      store.switches(null),
    ]);
    const texts: readonly RuleText[] = [
      ...product.files.map((file): RuleText => ({ ...file, origin: 'BUILT_IN' })),
      ...written.map(({ ruleId, text }): RuleText => ({ file: ruleId, text, origin: 'ORGANISATION' })),
      ...folder.files.map((file): RuleText => ({ ...file, origin: 'FILE' })),
    ];
    const problems: RuleProblem[] = [...product.problems, ...folder.problems].map((one) => ({ column: 1, ...one }));
    const rules = new Map<string, Rule>();
    const known = new Map<string, ReadRule>();
    for (const source of texts) {
      const key = `${source.origin}\n${source.file}\n${source.text}`;
      const read = this.#known.get(key) ?? readRule(source);
      known.set(key, read);
      if (read.type === 'broken') {
        problems.push(...read.problems);
        continue;
      }
      const { id } = read.rule.declaration;
      const holder = rules.get(id);
      if (holder) problems.push({ file: source.file, line: 1, column: 1, message: takenBy(id, holder) });
      else rules.set(id, read.rule);
    }
    this.#known = known;
    this.#present = {
      rules,
      problems,
      versions: new Map(written.map(({ ruleId, version }) => [ruleId, version])),
      organisation,
    };
    this.#problemLog.tell(problems);
  }
}

export function takenBy(id: string, { origin, file }: Pick<Rule, 'origin' | 'file'>): string {
  const holder = {
    BUILT_IN: 'a built-in rule',
    FILE: `the file ${file}`,
    ORGANISATION: "one of the organisation's rules",
  }[origin];
  return `The id "${id}" is taken by ${holder}.`;
}
