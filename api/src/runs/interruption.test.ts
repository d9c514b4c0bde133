import { describe, expect, it } from 'vitest';
import type { Chunk, ChunkBody, ToolCallStatus } from '../agent/chunk.ts';
import { AgentConfigSchema } from '../agent/config.ts';
import { BrokenLog } from './interruption.ts';

const agent = 'librarian';
const at = '2026-11-16T00:00:00.000Z';

function call(callId: string, status: ToolCallStatus): ChunkBody {
  return { type: 'ToolCallChunk', callId, name: 'vault_read', arguments: {}, turn: 1, status };
}

function answered(callId: string): ChunkBody {
  return { type: 'ToolResultChunk', callId, name: 'vault_read', ok: true, result: 'r', durationMs: 1 };
}

function closed(...bodies: readonly ChunkBody[]) {
  const log = new BrokenLog();
  for (const [index, body] of bodies.entries()) log.add({ ...body, runId: 'r', seq: index + 1, at } as Chunk);
  return log.close({
    userId: 'u',
    projectId: 'p',
    config: AgentConfigSchema.parse({}),
    startedAt: new Date(at),
    cancelled: false,
    decisions: [],
  });
}

describe('the log of a run whose server died', () => {
  it('answers the calls of a sub-agent in its name, and counts only the oracle’s own', () => {
    const { missing, ending } = closed(
      call('a', 'RUNNING'),
      { ...call('b', 'RUNNING'), agent },
      { ...call('c', 'RUNNING'), turn: 4, agent } as ChunkBody,
      { ...call('d', 'PENDING'), agent },
      { ...answered('b'), agent },
      { ...call('d', 'NOT_RUN'), agent },
    );

    expect(missing.map((body) => [body.type, 'callId' in body ? body.callId : undefined, body.agent])).toEqual([
      ['ToolResultChunk', 'c', agent],
      ['ToolResultChunk', 'a', undefined],
      ['ErrorChunk', undefined, undefined],
    ]);
    expect(ending.unfinishedTools.map(({ callId }) => callId)).toEqual(['a']);
    expect(ending.turns).toBe(1);
  });
});
