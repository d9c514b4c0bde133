import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type {
  CheckRuleQuery,
  CheckRuleQueryVariables,
  RuleFiringFragment,
  RuleFiringsQuery,
  RuleFiringsQueryVariables,
  RuleFragment,
  RuleProblemFragment,
  RuleQuery,
  RuleStateFragment,
  RuleStateQueryVariables,
  RulesQuery,
  RulesQueryVariables,
  RuleTrigger,
  RuleWordsQuery,
  SaveRuleInput,
  SaveRuleMutation,
  SetRuleEnabledMutation,
  SetRuleEnabledMutationVariables,
  SetRuleStateInput,
  SetRuleStateMutation,
  TestRuleInput,
  TestRuleQuery,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of rules, with the cursor that leads to the next. */
export type RulePage = RulesQuery['rules'];
/** The rule with its versions; null when there is none. */
export type RuleDetail = RuleQuery['rule'];
/** One page of what a rule did. */
export type RuleFiringPage = RuleFiringsQuery['ruleFirings'];
/** What an editor needs to know about the text of a rule. */
export type RuleCheck = CheckRuleQuery['checkRule'];
/** What a condition may ask about and call. */
export type RuleWords = RuleWordsQuery['ruleWords'];
/** What the rule would have done, or why it could not be tried: told apart by `__typename`. */
export type TestRuleResult = TestRuleQuery['testRule'];
/** The rule, what is wrong with its text, or what somebody else changed meanwhile: told apart by `__typename`. */
export type SaveRuleResult = SaveRuleMutation['saveRule'];
/** The rule, or why it was not switched: told apart by `__typename`. */
export type SetRuleEnabledResult = SetRuleEnabledMutation['setRuleEnabled'];
/** What the rule remembers, or what is wrong: told apart by `__typename`. */
export type SetRuleStateResult = SetRuleStateMutation['setRuleState'];

/** Rules: read and switched by everybody, written by administrators. */
export interface RulesApi {
  /** Null when there is no such rule. */
  get(id: string, options?: RequestOptions): Promise<RuleDetail>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: RulesQueryVariables, options?: RequestOptions): Promise<RulePage>;
  /** All of them, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<RulesQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<RuleFragment, void>;
  /** Why some are not used; for administrators. */
  problems(options?: RequestOptions): Promise<readonly RuleProblemFragment[]>;
  /** What a rule did, newest first. */
  firings(which: RuleFiringsQueryVariables, options?: RequestOptions): Promise<RuleFiringPage>;
  /** The same, page by page as you read. */
  allFirings(
    which?: Omit<RuleFiringsQueryVariables, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<RuleFiringFragment, void>;
  /** Switches a rule for the caller or, by an administrator, for everybody. */
  setEnabled(which: SetRuleEnabledMutationVariables, options?: RequestOptions): Promise<SetRuleEnabledResult>;
  /** What a rule remembers; null when there is no such rule or project. */
  state(which: RuleStateQueryVariables, options?: RequestOptions): Promise<RuleStateFragment | null>;
  /** Has a rule remember something, or forget it. */
  setState(input: SetRuleStateInput, options?: RequestOptions): Promise<SetRuleStateResult>;
  /** Makes or changes a rule of the organisation's; for administrators. */
  save(input: SaveRuleInput, options?: RequestOptions): Promise<SaveRuleResult>;
  /** Deletes a rule of the organisation's; for administrators. */
  delete(id: string, options?: RequestOptions): Promise<boolean>;
  /** Checks a text without saving it, for a new rule or for the one with that id; for administrators. */
  check(which: CheckRuleQueryVariables, options?: RequestOptions): Promise<RuleCheck>;
  /** Tries a rule on a past run or on a sample. */
  test(input: TestRuleInput, options?: RequestOptions): Promise<TestRuleResult>;
  /** What the conditions of a trigger may ask about and call. */
  words(trigger: RuleTrigger, options?: RequestOptions): Promise<RuleWords>;
}

/** Binds the rules to a way of sending requests. */
export function makeRulesApi(bind: Bind): RulesApi {
  const list = bind(documents.RulesDocument);
  const firings = bind(documents.RuleFiringsDocument);
  const problems = bind(documents.RuleProblemsDocument);
  return {
    get: withOne('id', bind(documents.RuleDocument)),
    list,
    all: everyPage(list),
    problems: (options) => problems({}, options),
    firings,
    allFirings: everyPage(firings),
    setEnabled: bind(documents.SetRuleEnabledDocument),
    state: bind(documents.RuleStateDocument),
    setState: withOne('input', bind(documents.SetRuleStateDocument)),
    save: withOne('input', bind(documents.SaveRuleDocument)),
    delete: withOne('id', bind(documents.DeleteRuleDocument)),
    check: bind(documents.CheckRuleDocument),
    test: withOne('input', bind(documents.TestRuleDocument)),
    words: withOne('trigger', bind(documents.RuleWordsDocument)),
  };
}
