import { ChatExportDocument, type ChatExportQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { words } from '../../words.ts';
import { download } from '../download.ts';
import { query } from '../graphql-client.ts';
import { formatMoment } from '../time-format.ts';

type Found = NonNullable<ChatExportQuery['conversation']>;
export type ExportedExchange = Found['path'][number];

export interface Exported {
  readonly title: string;
  readonly exchanges: readonly ExportedExchange[];
}

/** As many as one query may cost. */
const pageSize = 25;

/** The way from the root to HEAD, whole, or why it cannot be had. */
export async function readForExport(client: Client, id: string): Promise<Exported | string> {
  let exchanges: readonly ExportedExchange[] = [];
  for (let before: string | undefined; ; ) {
    const answer = await query(client, ChatExportDocument, { id, ...(before ? { before } : {}) });
    if (answer.type === 'failed') return answer.message;
    const { conversation } = answer.data;
    if (!conversation) return words.conversation.missing;
    exchanges = [...conversation.path, ...exchanges];
    if (conversation.path.length < pageSize) return { title: conversation.title, exchanges };
    before = conversation.path[0]?.id;
  }
}

export function toMarkdown({ title, exchanges }: Exported): string {
  const parts = exchanges.map(({ question, answer, createdAt, sources, ending, kind }) => {
    const asked = kind === 'ASK' ? question : words.kinds[kind];
    const listed = [...new Set(sources.map((source) => source.path))].map((path) => `- ${path}`);
    return [
      `## ${words.participant.you}, ${formatMoment(createdAt)}`,
      asked,
      `## ${words.participant.oracle}`,
      answer,
      ...(listed.length === 0 ? [] : [`${words.sources.title}:\n\n${listed.join('\n')}`]),
      ...(ending ? [`*${words.endings[ending.reason]}. ${ending.message}*`] : []),
    ].join('\n\n');
  });
  return `# ${title}\n\n${parts.join('\n\n')}\n`;
}

export function toJson(exported: Exported): string {
  return `${JSON.stringify(exported, (key, value: unknown) => (key === '__typename' ? undefined : value), 2)}\n`;
}

/** A file name that every system accepts. */
export function fileNameOf(title: string, ending: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain === '' ? 'conversation' : plain.toLowerCase()}.${ending}`;
}

export type ExportFormat = 'md' | 'json';

/** The open conversation as a file. Answers why not, when it cannot be had. */
export async function exportConversation(
  client: Client,
  id: string,
  format: ExportFormat,
): Promise<string | undefined> {
  const exported = await readForExport(client, id);
  if (typeof exported === 'string') return exported;
  if (format === 'md') download(fileNameOf(exported.title, 'md'), toMarkdown(exported), 'text/markdown');
  else download(fileNameOf(exported.title, 'json'), toJson(exported), 'application/json');
  return undefined;
}
