import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../kit/test-database.ts';

export interface PlantedNode {
  /** The place of its parent among the nodes; null for a root. */
  readonly parent: number | null;
  readonly checkpoint?: boolean;
}

/** Puts a conversation of any shape into the database, past the product: asking ten thousand times takes a while. */
export async function plant(
  database: TestDatabase,
  owner: { readonly userId: string; readonly projectId?: string | null },
  nodes: readonly PlantedNode[],
  head: number,
): Promise<{ readonly conversationId: string; readonly ids: readonly string[] }> {
  const conversationId = randomUUID();
  const ids = nodes.map(() => randomUUID());
  const rows = nodes.map(({ parent, checkpoint = false }, index) => ({
    ...{ id: ids[index], parent: parent === null ? null : ids[parent], checkpoint, question: `Question ${index}` },
    ...{ answer: `Answer ${index}`, at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString() },
  }));
  await database.query('insert into conversations (id, user_id, project_id, title) values ($1, $2, $3, $4)', [
    ...[conversationId, owner.userId, owner.projectId ?? null, 'Planted'],
  ]);
  await database.query(
    `insert into exchanges (id, conversation_id, parent_id, run_id, question, answer, partial, checkpoint, ending, created_at)
    select n.id, $1, n.parent, gen_random_uuid(), n.question, n.answer, false, n.checkpoint, $3, n.at
    from json_to_recordset($2)
      as n (id uuid, parent uuid, checkpoint boolean, question text, answer text, at timestamptz)`,
    [conversationId, JSON.stringify(rows), JSON.stringify(completed)],
  );
  await database.query('update conversations set head_id = $2 where id = $1', [conversationId, ids[head]]);
  return { conversationId, ids };
}

/** One exchange behind the other. */
export function line(length: number): readonly PlantedNode[] {
  return Array.from({ length }, (_, index) => ({ parent: index === 0 ? null : index - 1 }));
}

const completed = {
  ...{ reason: 'COMPLETED', message: 'Answered in 1 turn.', turns: 1, durationMs: 1 },
  usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, estimated: false },
  ...{ unfinishedTools: [], saved: { contentCharacters: 8, toolCalls: 0, sources: 0 }, nextActions: [] },
};
