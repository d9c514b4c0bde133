import { makeBind } from './call.ts';
import type { OracleClient } from './client.ts';
import { type FoldersApi, makeFoldersApi } from './folders.ts';
import { makeRulesApi, type RulesApi } from './rules.ts';
import { makeRunWatchApi, type RunWatchApi } from './run-watch.ts';

export type { FolderPage, FoldersApi } from './folders.ts';
export type {
  RuleCheck,
  RuleDetail,
  RuleFiringPage,
  RulePage,
  RulesApi,
  RuleWords,
  SaveRuleResult,
  SetRuleEnabledResult,
  SetRuleStateResult,
  TestRuleResult,
} from './rules.ts';
export type { RunRowPage, RunsChange, RunWatchApi, TimelineTurn, TurnDetail, WatchRunsOptions } from './run-watch.ts';

/** What is watched and steered rather than asked, by noun. An entry of its own, so that asking stays small. */
export interface Oversight {
  readonly folders: FoldersApi;
  readonly rules: RulesApi;
  readonly runs: RunWatchApi;
}

/** Adds the nouns of oversight to a client: `const oversight = makeOversight(oracle)`. */
export function makeOversight(client: Pick<OracleClient, 'request' | 'subscribe'>): Oversight {
  const bind = makeBind(client.request);
  return {
    folders: makeFoldersApi(bind),
    rules: makeRulesApi(bind),
    runs: makeRunWatchApi(bind, client.subscribe),
  };
}
