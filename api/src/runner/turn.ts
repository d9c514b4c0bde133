import { advance } from '../agent/advance.ts';
import type { Json } from '../agent/json.ts';
import { smallestAnswer } from '../agent/reservation.ts';
import { tokensSoFar } from '../agent/state.ts';
import { beginTurn } from '../agent/steps.ts';
import { noUsage, totalTokens, type Usage } from '../agent/usage.ts';
import { comingReservation } from '../agent/warnings.ts';
import { grouped } from '../agent/words.ts';
import type { FinishKind, Hear, ModelFailure, ModelMessage, ModelToolCall } from '../models/model-port.ts';
import { type AssistantMessage, measure, measureReply } from './message-size.ts';
import { hintMessages, say } from './prompt.ts';
import type { RunContext, StopCause } from './run-context.ts';
import { standingOf, tellAttached } from './telling.ts';
import { type RequestedCall, toolCallOf } from './tool-execution.ts';

/** What the model said in one turn. */
export interface TurnReply {
  readonly calls: readonly ModelToolCall[];
  readonly text: string;
}

const turnsBetweenCheckpoints = 10;

/** Opens a turn: the person and the model are told what they should know before it. */
export function openTurn(run: RunContext): void {
  const before = run.state;
  run.state = beginTurn(run.ports.tree, before, run.ports.now());
  const tokensUsed = tokensSoFar(run.state);
  const { length: messages } = run.messages;
  run.events.emit('agent.turn.start', { expectedInput: run.promptTokens, messages, tokensUsed });
  tellAttached(run, before);
  if (before.turn > 0 && before.turn % turnsBetweenCheckpoints === 0) {
    const { maxIterations, tokenBudget } = run.state.config;
    const { length: toolCalls } = run.toolCalls;
    run.events.emit('task.checkpoint', { turn: before.turn, maxIterations, tokensUsed, tokenBudget, toolCalls });
  }
  run.events.reach('TURN_START');
  reportContext(run, run.promptTokens);
}

/**
 * Calls the model once and streams what it says. Undefined when the turn was broken off, by a stop or a failure; then
 * the turn stays open, and what was said so far is kept.
 */
export async function callModel(run: RunContext): Promise<TurnReply | undefined> {
  const heard = new Heard(run);
  if (heard.tooLong) return fail(heard, run, heard.tooLong);
  run.events.emit('model.call.start', { expectedInput: heard.prompt, toolsOffered: run.state.toolsOffered });
  try {
    await heard.listen();
  } catch (error) {
    // Out of time while waiting for the provider is the run's own limit, whichever of the two noticed it first.
    if (run.ports.now() >= run.deadline) run.stop.abort('timeout' satisfies StopCause);
    if (run.stop.signal.aborted) return heard.breakOff();
    if (!isModelFailure(error)) throw error;
    return fail(heard, run, error);
  }
  return heard.complete ? heard.conclude() : heard.breakOff();
}

function fail(heard: Heard, run: RunContext, { code, message, retryable }: Failure): undefined {
  run.failure = { type: 'ErrorChunk', code, message, retryable };
  run.events.emit('model.call.failure', { code, message, durationMs: heard.durationMs });
  heard.breakOff();
  run.state = advance(run.state, { type: 'model-failed', now: run.ports.now(), message: message.replace(/\.$/, '') });
  return undefined;
}

type Failure = Pick<ModelFailure, 'code' | 'message' | 'retryable'>;

/** A copy: the conversation grows while the request is under way. */
function withHints(messages: readonly ModelMessage[], hints: readonly ModelMessage[]): readonly ModelMessage[] {
  const all = messages.slice();
  for (const hint of hints) all.push(hint);
  return all;
}

/** One reply as it comes in. */
class Heard {
  #overBudget = false;
  #text = '';
  #reasoning = '';
  /** Estimated so far, and how much of the text and the reasoning that is. */
  #output = 0;
  #counted = { text: 0, reasoning: 0 };
  /** Characters that were heard, but not estimated yet. */
  #uncounted = 0;
  #uncountedArguments = '';
  #argumentsHeard = 0;
  #calls: ModelToolCall[] = [];
  #usage: Usage | undefined;
  #finish: FinishKind | undefined;
  #continuation: Json | undefined;
  /** Estimated tokens of the whole request, hints included. */
  readonly #prompt: number;
  readonly #room: number;
  readonly #hints: readonly ModelMessage[];
  readonly #startedAt: number;

  constructor(private readonly run: RunContext) {
    this.#startedAt = run.ports.now();
    const reservation = comingReservation(run.state);
    const room = reservation?.fits ? reservation.outputCap : 0;
    const hints = hintMessages(run.events.takeHints());
    const hintTokens = hints.reduce((sum, hint) => sum + measure(run, hint), 0);
    // A budget that has no room for good advice is still kept.
    const advised = room - hintTokens >= smallestAnswer;
    this.#hints = advised ? hints : [];
    this.#prompt = (run.state.expectedInput ?? run.promptTokens) + (advised ? hintTokens : 0);
    this.#room = Math.max(advised ? room - hintTokens : room, smallestAnswer);
  }

  get prompt(): number {
    return this.#prompt;
  }

  get durationMs(): number {
    return Math.round(this.run.ports.now() - this.#startedAt);
  }

  /** The model came to its own end: neither a stop nor the budget cut it off. A stop after that changes nothing. */
  get complete(): boolean {
    return this.#finish !== undefined || !(this.run.stop.signal.aborted || this.#overBudget);
  }

  /** What is left after everything that could make room: a question too long for this model. The provider is not asked. */
  get tooLong(): Failure | undefined {
    const { windowSize } = this.run.request;
    if (this.#prompt + smallestAnswer <= windowSize) return undefined;
    const message = `The question does not fit the model's window: it would take about ${grouped(this.#prompt)} of ${grouped(windowSize)} tokens.`;
    return { code: 'CONTEXT_TOO_LONG', message, retryable: false };
  }

  async listen(): Promise<void> {
    const { request, ports, state, messages, declarations, deadline, stop } = this.run;
    const asked = {
      messages: withHints(messages, this.#hints),
      tools: state.toolsOffered ? declarations : [],
      withheldTools: state.toolsOffered ? [] : declarations,
      // Providers refuse a request that could overflow the window, however short the answer would have been.
      maxOutputTokens: Math.min(this.#room, Math.floor(request.windowSize - this.#prompt)),
      thinking: request.thinking,
      signal: stop.signal,
      deadline,
    };
    try {
      await ports.callModel(asked, this.#hear);
    } finally {
      this.run.answer += this.#text; // whatever happened meanwhile
    }
  }

  readonly #hear: Hear = (event) => {
    const { run } = this;
    switch (event.type) {
      case 'text-delta':
        this.#text += event.text;
        if (!run.answered) run.answered = event.text.trim() !== '';
        run.ports.emit({ type: 'ContentChunk', text: event.text });
        this.#count(event.text.length);
        break;
      case 'reasoning-delta':
        this.#reasoning += event.text;
        run.ports.emit({ type: 'ThinkingChunk', text: event.text });
        this.#count(event.text.length);
        break;
      case 'arguments-delta':
        this.#argumentsHeard += event.text.length;
        this.#countArguments(event.text);
        break;
      case 'tool-call':
        this.#calls.push(event);
        this.#argumentsHeard -= event.argumentsText.length;
        if (this.#argumentsHeard < 0) this.#countArguments(event.argumentsText.slice(this.#argumentsHeard)); // came at once
        this.#argumentsHeard = Math.max(0, this.#argumentsHeard);
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'finish':
        this.#finish = event.kind;
        this.#continuation = event.continuation;
        break;
    }
    if (this.#overBudget && this.#finish === undefined) return false; // the chunk in hand was the last
    return run.ports.pause();
  };

  /** The turn ends where it is: its tokens count, its calls are not made. */
  breakOff(): undefined {
    const { run } = this;
    const reply = { text: this.#text, toolCalls: [], finished: false };
    const usage = this.#spent();
    // Whether a request that nothing came back from was ever read, nobody knows.
    if (usage !== noUsage) this.#confirmHints();
    run.state = advance(run.state, { type: 'model-replied', now: run.ports.now(), reply, usage });
    this.#tellEnd(usage, false);
    return undefined;
  }

  conclude(): TurnReply {
    const { run } = this;
    const usage = this.#spent();
    this.#confirmHints();
    const toolCalls = this.#calls.map((call) => toolCallOf(requestedCall(call)));
    // Cut by the cap that we set, not by the model's own end: then it is the budget that ended it.
    const spent = totalTokens(usage) + tokensSoFar(run.state) >= run.state.config.tokenBudget;
    const finished = !(this.#finish === 'length' && (spent || usage.outputTokens >= this.#room));
    run.state = advance(run.state, {
      type: 'model-replied',
      now: run.ports.now(),
      reply: { text: this.#text, toolCalls, finished },
      usage,
    });
    // The tools are sent again with the next request, even when they were left out of this one.
    if (this.#usage) run.promptTokens = this.#usage.inputTokens + (run.state.toolsOffered ? 0 : run.toolTokens);
    const continuation = this.#continuation === undefined ? {} : { continuation: this.#continuation };
    const message: AssistantMessage = { role: 'assistant', text: this.#text, toolCalls, ...continuation };
    say(run, message, measureReply(run, message, usage));
    reportContext(run, run.promptTokens);
    this.#tellEnd(usage, true);
    return { calls: this.#calls, text: this.#text };
  }

  /** Hints that went with the request have reached the model; those that found no room wait for another. */
  #confirmHints(): void {
    if (this.#hints.length > 0) this.run.events.hintsHeard();
  }

  #tellEnd({ inputTokens, outputTokens }: Usage, complete: boolean): void {
    const { durationMs } = this;
    const { length: calls } = this.#calls;
    const standing = standingOf(this.run);
    this.run.events.emit('model.call.end', { inputTokens, outputTokens, calls, complete, durationMs, ...standing });
  }

  /** Estimating costs more than all else about a delta, so it waits until the budget could be in danger. */
  #count(characters: number): void {
    this.#uncounted += characters;
    const atMost = this.#output + this.#uncounted; // no text has more tokens than characters
    if (atMost >= this.#room && this.#estimateOutput() >= this.#room) this.#overBudget = true;
  }

  #countArguments(text: string): void {
    this.#uncountedArguments += text;
    this.#count(text.length);
  }

  #estimateOutput(): number {
    const { estimateTokens } = this.run.ports;
    const { text, reasoning } = this.#counted;
    this.#output += estimateTokens(this.#text.slice(text)) + estimateTokens(this.#reasoning.slice(reasoning));
    this.#output += estimateTokens(this.#uncountedArguments);
    this.#counted = { text: this.#text.length, reasoning: this.#reasoning.length };
    this.#uncountedArguments = '';
    this.#uncounted = 0;
    return this.#output;
  }

  /** The provider's word, or else the estimate. Nothing was spent when nothing came back. */
  #spent(): Usage {
    if (this.#usage) return this.#usage;
    const outputTokens = this.#estimateOutput();
    if (outputTokens === 0 && this.#finish === undefined) return noUsage;
    return {
      inputTokens: this.#prompt,
      cachedInputTokens: 0,
      outputTokens,
      reasoningTokens: Math.min(outputTokens, this.run.ports.estimateTokens(this.#reasoning)),
      estimated: true,
    };
  }
}

export function requestedCall(call: ModelToolCall): RequestedCall {
  const { callId, name, arguments: given, argumentsText, problem } = call;
  return { callId, name, arguments: given, rawArguments: argumentsText, problem };
}

/** Told when it moved enough to matter. */
function reportContext(run: RunContext, tokens: number): void {
  const { windowSize } = run.request;
  if (Math.abs(tokens - run.reportedContext) < Math.min(500, windowSize * 0.02)) return;
  run.reportedContext = tokens;
  run.ports.emit({ type: 'ContextChunk', tokens, windowSize });
}

function isModelFailure(error: unknown): error is ModelFailure {
  return error instanceof Error && error.name === 'ModelFailure';
}
