import { advance } from '../../agent/advance.ts';
import { tokensSoFar } from '../../agent/state.ts';
import { noUsage, totalTokens, type Usage } from '../../agent/usage.ts';
import type { RunContext } from '../run-context.ts';

/** Of the run's budget, this stays with the run beside its next prompt: for what it is told, and for its answer. */
const keptBack = 2_000;

/** Tokens that the run can spare for a sub-agent now. Others that are at work have theirs already. */
export function tokensToSpare(run: RunContext): number {
  const left = run.state.config.tokenBudget - tokensSoFar(run.state) - run.reservedTokens;
  return Math.max(0, Math.floor(left - run.promptTokens - keptBack));
}

/**
 * Tokens set aside for one sub-agent. What it spends is charged to the run as soon as it is known; nobody else can have
 * what is set aside meanwhile, so the run's budget holds however many are at work.
 */
export class Allowance {
  #charged: Usage = noUsage;
  #reserved: number;

  constructor(
    private readonly run: RunContext,
    tokens: number,
  ) {
    this.#reserved = tokens;
    run.reservedTokens += tokens;
  }

  spend(usage: Usage): void {
    this.#charged = plus(this.#charged, usage);
    this.run.state = advance(this.run.state, { type: 'tokens-spent', usage });
    this.#release(totalTokens(usage));
  }

  /** The last word about what was used, with what had to be estimated; the rest is given back. */
  settle(all: Usage): void {
    const missing = minus(all, this.#charged);
    if (totalTokens(missing) > 0) this.spend(missing);
    this.#release(this.#reserved);
  }

  #release(tokens: number): void {
    const released = Math.min(tokens, this.#reserved);
    this.#reserved -= released;
    this.run.reservedTokens -= released;
  }
}

function plus(one: Usage, other: Usage): Usage {
  return combine(one, other, (left, right) => left + right);
}

function minus(one: Usage, other: Usage): Usage {
  return combine(one, other, (left, right) => Math.max(0, left - right));
}

function combine(one: Usage, other: Usage, by: (left: number, right: number) => number): Usage {
  return {
    inputTokens: by(one.inputTokens, other.inputTokens),
    cachedInputTokens: by(one.cachedInputTokens, other.cachedInputTokens),
    outputTokens: by(one.outputTokens, other.outputTokens),
    reasoningTokens: by(one.reasoningTokens, other.reasoningTokens),
    estimated: one.estimated || other.estimated,
  };
}
