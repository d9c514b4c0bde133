import { CancelRunDocument, RunningRunsDocument } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { words } from '../words.ts';
import { mutate, query } from './graphql-client.ts';
import type { Toasts } from './toasts.ts';

const pageSize = 100;

/** Stops all that a person has running, and says how many that were. */
export async function stopAllRuns(client: Client, toasts: Pick<Toasts, 'show'>): Promise<void> {
  let stopped = 0;
  for (let after: string | undefined; ; ) {
    const answer = await query(client, RunningRunsDocument, { first: pageSize, ...(after ? { after } : {}) });
    if (answer.type === 'failed')
      return void toasts.show({ text: `${words.failed} ${answer.message}`, tone: 'failure' });
    for (const { node } of answer.data.runs.edges) {
      const cancelled = await mutate(client, CancelRunDocument, { runId: node.id });
      if (cancelled.type === 'data' && cancelled.data.cancelRun) stopped += 1;
    }
    const { hasNextPage, endCursor } = answer.data.runs.pageInfo;
    if (!hasNextPage || endCursor === null) break;
    after = endCursor;
  }
  toasts.show({ text: stopped === 0 ? words.palette.nothingRunning : words.palette.stopped(stopped) });
}
