import { type Rule, readRule } from '../src/rules/load-rules.ts';
import type { Trigger } from '../src/rules/rule.ts';

/** What an organisation may watch for; none of it happens in the benchmark. */
const conditions: readonly (readonly [Trigger, string])[] = [
  ['QUERY_START', 'question.startsWith("/") || limits.tokenBudget < 1000'],
  ['TURN_START', 'turn > 500'],
  ['TURN_START', 'tokensAbove(0.95) && turn * 3 <= limits.maxIterations'],
  ['TURN_START', 'contextAbove(0.9) && limits.maxToolCallsPerTurn > 2'],
  ['TURN_START', 'history.failures > 5 || history.errorStreak >= 2'],
  ['TURN_START', 'elapsedAbove(3600) && !stateFlag("told")'],
  ['TURN_START', 'messagesAbove(5000) && project.name != "Archive"'],
  ['TURN_END', 'history.repeats >= 2'],
  ['TURN_END', 'tokens.left < 2000 && history.toolCalls == 0'],
  ['TURN_END', 'stateNumber("seen") > 3.0'],
  ['TURN_END', 'run.model in ["large", "larger"] && tokens.output > 100000'],
  ['TOOL_CALL', 'tool.name == "vault_write" && user.role != "ADMIN"'],
  ['TOOL_CALL', 'tool.name.startsWith("mcp_") && turn > 20'],
  ['TOOL_CALL', 'calls(tool.name) > 100'],
  ['TOOL_COMPLETE', 'tool.resultTokens > 3000'],
  ['TOOL_COMPLETE', 'tool.durationMs > 10000'],
  ['TOOL_COMPLETE', 'tool.result.contains("confidential")'],
  ['TOOL_FAILURE', 'failures(tool.name) >= 3'],
  ['TOOL_FAILURE', 'tool.error.contains("denied")'],
  ['SESSION_END', 'ending.reason == "MAX_ITERATIONS" && ending.turns > 10'],
];

/** As an administrator writes them. */
export const ruleTexts: readonly string[] = conditions.map(([trigger, condition], index) =>
  [
    `id = "bench-${index}"`,
    `name = "Rule ${index}"`,
    `trigger = "${trigger}"`,
    `condition = ${JSON.stringify(condition)}`,
    trigger === 'SESSION_END' ? '[action.notify]' : '[action.hint]',
    'message = "Turn {{ turn }}."',
  ].join('\n'),
);

export const twentyRules: readonly Rule[] = ruleTexts.map((text, index) => {
  const read = readRule({ file: `bench-${index}.toml`, text, origin: 'FILE' });
  if (read.type === 'broken') throw new Error(JSON.stringify(read.problems));
  return read.rule;
});
