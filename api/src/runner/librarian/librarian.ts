import { delegationLimits, shouldDelegate } from '../../agent/delegation.ts';
import type { Json } from '../../agent/json.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { LibrarianReport } from '../../tools/tool.ts';
import { caution } from '../message-size.ts';
import type { RunContext, RunResult } from '../run-context.ts';
import type { StartRun } from '../run-query.ts';
import type { FinishedCall } from '../tool-execution.ts';
import { resultText } from '../tool-result.ts';
import { usableWindow } from '../window.ts';
import { tokensToSpare } from './allowance.ts';
import { digestOf, type LongResult, shortenedResult } from './digest.ts';
import type { LibrarianPorts } from './librarian-port.ts';
import { beginning, readingInstructions, readingTask, summaryKey, taskInstructions } from './material.ts';
import { runSubAgent, tell } from './sub-run.ts';

/** Below this there is nothing worth reading, and no room to report. */
const leastMaterial = 500;
const reportRoom = 800;
/** For a task of its own: what the instructions, the tools and a first look take. */
const leastForTask = 4_000;
/** A task may not take all that the run has left. */
const shareForTask = 0.6;
const frame = 120;

const noTools: ToolRegistry = { names: [], declarations: [], find: () => undefined, nearest: () => undefined };

/**
 * The sub-agent that reads what is too much for the oracle. Results come to it by themselves when they are too big, tasks
 * when the model asks. Whatever becomes of it, the run goes on: with its report, or with the beginning of the result.
 */
export class Librarian {
  constructor(
    private readonly run: RunContext,
    private readonly ports: LibrarianPorts,
    private readonly startRun: StartRun,
  ) {}

  /** A result as the model should get it: as it is, or summarised, or else shortened. Never rejects. */
  async digest({ call, result, shape, sources }: FinishedCall, signal: AbortSignal): Promise<Json> {
    const { estimateTokens } = this.run.ports;
    const text = resultText(result);
    // No text has more tokens than characters, and counting them takes time.
    const tokens = text.length <= delegationLimits.tokens ? text.length : estimateTokens(text);
    const tooMuch = shouldDelegate({ tokens, shape });
    if (tooMuch === undefined) return result;
    const long: LongResult = { origin: `${tooMuch} of ${call.name}`, result, text, sources, shape };
    try {
      const outcome = await this.#read(long, call.callId, signal);
      if (outcome.type === 'read') return digestOf(long, outcome.summary);
      tell(this.run, `${outcome.why} The result of ${call.name} is passed on shortened.`);
      return this.#shortened(long, outcome.why);
    } catch (error) {
      this.run.ports.reportFailure(error);
      return this.#shortened(long, 'The Librarian could not be asked.');
    }
  }

  /** A task that the model gives. Rejects with a sentence for the model when nothing came of it. */
  async ask(task: string, callId: string, signal: AbortSignal): Promise<LibrarianReport> {
    const { run, ports } = this;
    const tokens = Math.floor(tokensToSpare(run) * shareForTask);
    if (tokens < leastForTask) throw new Error('The token budget has no room left for the Librarian. Do it yourself.');
    tell(run, 'The Librarian begins with a task.');
    const outcome = await runSubAgent(run, ports, this.startRun, {
      instructions: taskInstructions,
      question: task,
      tools: ports.tools,
      tokens,
      signal,
      callId,
    });
    const report = reportOf(outcome);
    if (report === undefined) {
      tell(run, `The Librarian could not finish its task. ${outcome.ending.message}`);
      throw new Error(`The Librarian could not finish. ${outcome.ending.message} Do it yourself, or ask for less.`);
    }
    tell(run, 'The Librarian has finished its task.');
    return { summary: report, sources: outcome.sources };
  }

  async #read(long: LongResult, callId: string, signal: AbortSignal): Promise<Reading> {
    const { run, ports } = this;
    const { question } = run.request;
    const key = summaryKey(ports.modelName, question, long.origin, long.text);
    const known = await unlessStopped(this.#known(key), signal);
    if (known !== undefined) {
      tell(run, `The Librarian has read the ${long.origin} before.`);
      return { type: 'read', summary: known };
    }
    const { estimateTokens } = run.ports;
    const fixed = (estimateTokens(readingInstructions) + estimateTokens(question) + frame) * caution;
    const spare = tokensToSpare(run);
    const room = Math.min(usableWindow(ports.windowSize), spare - reportRoom) - fixed;
    if (room < leastMaterial) return { type: 'unread', why: 'The token budget has no room for the Librarian.' };
    const material = beginning(long.text, room / caution, estimateTokens);
    const whole = material.length === long.text.length;
    const needed = fixed + estimateTokens(material) * caution;
    tell(run, `The Librarian reads ${long.origin}.`);
    const outcome = await runSubAgent(run, ports, this.startRun, {
      instructions: readingInstructions,
      question: readingTask(question, long.origin, material, whole),
      tools: noTools,
      // Enough for a second try when a report was cut off.
      tokens: Math.min(spare, Math.ceil(2 * needed + 4 * reportRoom)),
      signal,
      callId,
    });
    const summary = reportOf(outcome);
    if (summary === undefined)
      return { type: 'unread', why: `The Librarian could not finish. ${outcome.ending.message}` };
    tell(run, `The Librarian has summarised ${long.origin}.`);
    if (whole) await unlessStopped(this.#keep(key, summary), signal);
    return { type: 'read', summary };
  }

  #shortened(long: LongResult, why: string): Json {
    return shortenedResult(long, why, tokensToSpare(this.run), this.run.ports.estimateTokens);
  }

  /** Without what was remembered it only takes longer. */
  #known(key: string): Promise<string | undefined> {
    return this.ports.summaries.find(key).catch((error: unknown) => {
      this.run.ports.reportFailure(error);
      return undefined;
    });
  }

  #keep(key: string, summary: string): Promise<void> {
    return this.ports.summaries.keep(key, summary).catch(this.run.ports.reportFailure);
  }
}

type Reading = { readonly type: 'read'; readonly summary: string } | { readonly type: 'unread'; readonly why: string };

/** Only what was finished counts. */
function reportOf({ ending, answer }: RunResult): string | undefined {
  return ending.reason === 'COMPLETED' && answer.trim() !== '' ? answer.trim() : undefined;
}

/** Waits for nothing once the run was stopped. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop));
}
