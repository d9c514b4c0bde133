import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { transports } from '../kit/live.ts';
import { type Reply, reply, step } from '../kit/model-replies.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { seeded } from './kit/seeded.ts';

interface Recording {
  readonly file: string;
  readonly framing: string;
  readonly expected: {
    readonly content: string;
    readonly reasoning: string;
    readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments_parsed: unknown }[];
    readonly usage: {
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly total_tokens: number;
      readonly prompt_tokens_details?: { readonly cached_tokens: number };
      readonly completion_tokens_details?: { readonly reasoning_tokens: number };
    };
    readonly error: { readonly message: string } | null;
  };
}

const folder = new URL('../../../../shared/data/streams/', import.meta.url);
const recorded = existsSync(folder);
const recordings: readonly Recording[] = recorded
  ? JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
  : [];

/** The reply as the provider sent it, in pieces that end anywhere, also within a character. */
function replayed({ file, framing }: Recording, random: () => number): Reply {
  const stored = readFileSync(new URL(file, folder));
  const lines = stored.toString('utf8').split('\n').filter(Boolean);
  const bytes = framing.startsWith('json-lines')
    ? Buffer.from([...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
    : stored;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random() ** 3 * 700);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return reply.stream(pieces.map(step.raw));
}

/** Some providers count reasoning on top of the completion: their total tells. */
function usageOf({ expected: { usage } }: Recording) {
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const onTop = usage.total_tokens === usage.prompt_tokens + usage.completion_tokens + reasoningTokens;
  return {
    inputTokens: usage.prompt_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.completion_tokens + (onTop ? reasoningTokens : 0),
    reasoningTokens,
  };
}

const closingUsage = { input: 40, output: 2 };
const closingWords = 'That was the tool.';

describe.skipIf(!recorded)('recorded streams, asked for through a subscription (skipped without recordings)', () => {
  let kit: OracleKit;
  let user: TestUser;
  beforeAll(async () => {
    kit = await startOracleKit();
  });
  beforeEach(async () => {
    user = await kit.newUser();
  });
  afterAll(() => kit.stop());

  describe.each(transports)('over %s', (_name, transport) => {
    it.each(recordings.map((recording, index) => [recording.file, recording, index] as const))(
      '%s',
      async (file, recording, index) => {
        const { expected } = recording;
        const seed = index * 2 + (transport === transports[0][1] ? 1 : 2);
        const calls = expected.tool_calls;
        kit.script(replayed(recording, seeded(seed)), reply.text(closingWords, { usage: closingUsage }));
        const told = await kit.ask(user, { question: `What does ${file} say?` }, transport);
        const firstCalls = told.of('ToolCallChunk').filter(({ turn, status }) => turn === 1 && status === 'PENDING');
        const usage = usageOf(recording);
        const turns = calls.length > 0 ? 2 : 1;

        expect(
          told
            .of('ThinkingChunk')
            .map(({ text }) => text)
            .join(''),
        ).toBe(expected.reasoning);
        expect(firstCalls.map(({ callId, name, arguments: given }) => [callId, name, given])).toEqual(
          calls.map(({ id, name, arguments_parsed }) => [id, name, arguments_parsed]),
        );
        expect(told.ending).toMatchObject({
          turns,
          usage: {
            ...usage,
            inputTokens: usage.inputTokens + (turns - 1) * closingUsage.input,
            outputTokens: usage.outputTokens + (turns - 1) * closingUsage.output,
            estimated: false,
          },
        });
        if (expected.error === null) {
          expect(told.reason).toBe('COMPLETED');
          expect(told.text).toBe(calls.length > 0 ? expected.content + closingWords : expected.content);
        } else {
          expect(told.reason).toBe('MODEL_ERROR');
          expect(told.of('ErrorChunk')[0]?.message).toContain(expected.error.message);
          expect(told.text.startsWith(expected.content)).toBe(true);
        }
      },
    );
  });
});
