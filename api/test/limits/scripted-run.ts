import { setTimeout as pause } from 'node:timers/promises';
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { estimateTokenCount } from 'tokenx';
import { type AgentConfig, AgentConfigSchema } from '../../src/agent/config.ts';
import { DefaultDecisionTree } from '../../src/agent/default-tree.ts';
import type { Decision } from '../../src/agent/steps.ts';
import { callModel } from '../../src/models/call-model.ts';
import type { ModelMessage, ModelRequest } from '../../src/models/model-port.ts';
import type { RetryPolicy } from '../../src/models/retry-after.ts';
import { streamingModel } from '../../src/models/streaming-model.ts';
import type { EmittedChunk, RunPorts, RunResult } from '../../src/runner/run-context.ts';
import { type RunUnderWay, runQuery } from '../../src/runner/run-query.ts';
import type { ToolRegistry } from '../../src/tools/registry.ts';

/** What a scripted model does in one turn, part by part. */
export type Part =
  | { readonly do: 'text' | 'reasoning'; readonly text: string }
  | { readonly do: 'call'; readonly name: string; readonly written: string }
  | { readonly do: 'pause'; readonly milliseconds: number }
  /** The connection breaks in the middle of the reply. */
  | { readonly do: 'break' }
  /** Says nothing more, and does not end. */
  | { readonly do: 'hang' };

export interface Reply {
  /** Refusals with 503 before the reply begins. */
  readonly refusals?: number;
  readonly retryAfterMs?: number;
  readonly parts: readonly Part[];
  /** Whether it says what it used, and how much of that nobody saw. */
  readonly usage: 'reported' | 'none';
  readonly hiddenTokens?: number;
  /** Whether it stops at the output cap, as providers should. */
  readonly keepsCap: boolean;
}

/** What a provider knows of one call, whatever it reports. */
export interface Spent {
  readonly input: number;
  output: number;
  /** The tokens of the last piece that it sent. */
  lastPiece: number;
  finished: boolean;
  calls: number;
}

export interface ScriptedRun {
  readonly config?: Partial<AgentConfig>;
  /** The reply for a turn; 1 for the first. */
  reply(turn: number): Reply;
  readonly tools: ToolRegistry;
  readonly now?: () => number;
  readonly question?: string;
  /** The log has no room for a while. */
  readonly pause?: RunPorts['pause'];
  onEmit?(chunk: EmittedChunk, run: RunUnderWay): void;
  onDecision?(decision: Decision, run: RunUnderWay): void;
}

export interface Watched {
  readonly run: RunUnderWay;
  readonly config: AgentConfig;
  readonly chunks: readonly EmittedChunk[];
  readonly decisions: readonly Decision[];
  /** One for each turn in which the model was asked. */
  readonly spent: readonly Spent[];
  readonly failures: readonly unknown[];
}

const quickRetries: RetryPolicy = { tries: 4, firstDelayMs: 2, longestDelayMs: 20, random: () => 0.5 };

/** Runs the real loop, executor and model caller on a scripted model, with everything that is said kept in memory. */
export function startScripted(script: ScriptedRun): Watched {
  const config: AgentConfig = { ...AgentConfigSchema.parse({}), ...script.config };
  const chunks: EmittedChunk[] = [];
  const decisions: Decision[] = [];
  const spent: Spent[] = [];
  const failures: unknown[] = [];
  const ports: RunPorts = {
    tree: new DefaultDecisionTree(config),
    tools: script.tools,
    toolScope: { projectId: 'project', userId: 'user', vault: noVault },
    callModel: (request) => {
      const account: Spent = { input: sizeOf(request), output: 0, lastPiece: 0, finished: false, calls: 0 };
      spent.push(account);
      return callModel(modelSaying(script.reply(spent.length), request, account), request, quickRetries);
    },
    loadHistory: async () => [],
    emit: (chunk) => {
      chunks.push(chunk);
      script.onEmit?.(chunk, run);
    },
    pause: script.pause ?? (() => undefined),
    recordDecision: (decision) => {
      decisions.push(decision);
      script.onDecision?.(decision, run);
    },
    reportFailure: (error) => void failures.push(error),
    estimateTokens: estimateTokenCount,
    now: script.now ?? (() => performance.now()),
    frozen: true,
  };
  const run = runQuery(
    {
      runId: 'run',
      userId: 'user',
      projectId: 'project',
      question: script.question ?? 'What is it?',
      config,
      thinking: true,
      windowSize: 64_000,
    },
    ports,
  );
  return { run, config, chunks, decisions, spent, failures };
}

export function streamedAnswer(chunks: readonly EmittedChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'ContentChunk' ? chunk.text : '')).join('');
}

/** The script to its end. */
export async function runScripted(script: ScriptedRun): Promise<Watched & { readonly result: RunResult }> {
  const watched = startScripted(script);
  return { ...watched, result: await watched.run.result };
}

function modelSaying(reply: Reply, request: ModelRequest, account: Spent) {
  let refusals = reply.refusals ?? 0;
  return streamingModel('scripted', 'scripted', async ({ abortSignal, maxOutputTokens = Infinity }) => {
    if (refusals-- > 0) throw refusal(reply.retryAfterMs);
    const parts = perform(reply, request, account, reply.keepsCap ? maxOutputTokens : Infinity, abortSignal);
    return new ReadableStream<LanguageModelV4StreamPart>(
      {
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
  });
}

async function* perform(
  { parts, usage, hiddenTokens = 0 }: Reply,
  request: ModelRequest,
  account: Spent,
  cap: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const hidden = Math.min(hiddenTokens, Math.max(0, request.maxOutputTokens - 50));
  let cut = false;
  account.output += hidden;
  for (const [index, part] of parts.entries()) {
    const said = part.do === 'call' ? part.written : 'text' in part ? part.text : '';
    const tokens = estimateTokenCount(said);
    if (account.output + tokens > cap) {
      cut = true;
      account.output = cap;
      break;
    }
    account.output += tokens;
    if (tokens > 0) account.lastPiece = tokens;
    switch (part.do) {
      case 'text':
      case 'reasoning':
        yield { type: `${part.do}-delta`, id: part.do, delta: part.text };
        break;
      case 'call':
        account.calls += 1;
        yield { type: 'tool-call', toolCallId: `call-${index}`, toolName: part.name, input: part.written };
        break;
      case 'pause':
        await pause(part.milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
        break;
      case 'break':
        throw new TypeError('terminated');
      case 'hang':
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        return;
    }
  }
  account.finished = true;
  yield {
    type: 'finish',
    usage: {
      inputTokens: { total: usage === 'none' ? undefined : account.input, ...noDetails, cacheRead: 0 },
      outputTokens: { total: usage === 'none' ? undefined : account.output, text: undefined, reasoning: hidden },
    },
    finishReason: cut ? { unified: 'length', raw: 'length' } : { unified: 'stop', raw: 'stop' },
  };
}

const noDetails = { noCache: undefined, cacheWrite: undefined };

function refusal(retryAfterMs: number | undefined): APICallError {
  return new APICallError({
    message: 'Overloaded.',
    url: '',
    requestBodyValues: {},
    statusCode: 503,
    ...(retryAfterMs === undefined ? {} : { responseHeaders: { 'retry-after-ms': String(retryAfterMs) } }),
  });
}

/** As a provider would count it: the very words, and a little around each message. */
function sizeOf({ messages, tools }: ModelRequest): number {
  const declared = tools.length === 0 ? 0 : estimateTokenCount(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + sizeOfMessage(message), declared);
}

function sizeOfMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
    case 'user':
      return 4 + estimateTokenCount(message.text);
    case 'assistant': {
      const calls = message.toolCalls.map((call) => `${call.name}${JSON.stringify(call.arguments)}`);
      return 4 + estimateTokenCount(message.text) + estimateTokenCount(calls.join(''));
    }
    case 'tool':
      return message.results.reduce((sum, { text }) => sum + 4 + estimateTokenCount(text), 0);
  }
}

const refuse = () => Promise.reject(new Error('There is no vault here.'));
const noVault = { search: refuse, read: refuse, list: refuse, write: refuse };
