import { ChatExportDocument, type ChatExportQuery } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { words } from '../../words.ts';
import { download } from '../download.ts';
import { query } from '../graphql-client.ts';
import { formatMoment } from '../time-format.ts';
import { footnotesOf, withoutSources } from './citations.ts';

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

type Cited = Pick<ExportedExchange['sources'][number], 'kind' | 'path' | 'line'>;

/** As much of an exchange as a person reads. */
type Readable = Pick<ExportedExchange, 'kind' | 'question' | 'answer' | 'createdAt' | 'ending'> & {
  readonly sources: readonly Cited[];
};

interface ReadableConversation {
  readonly title: string;
  readonly exchanges: readonly Readable[];
}

export function toMarkdown({ title, exchanges }: ReadableConversation): string {
  const parts = exchanges.map(({ question, answer, createdAt, sources, ending, kind }) => {
    const asked = kind === 'ASK' ? question : words.kinds[kind];
    const listed = footnotesOf(answer, sources).map(({ number, source }) => `- [${number}] ${nameOf(source)}`);
    return [
      `## ${words.participant.you}, ${formatMoment(createdAt)}`,
      asked,
      `## ${words.participant.oracle}`,
      withoutSources(answer, sources, false),
      ...(listed.length === 0 ? [] : [`${words.sources.title}:\n\n${listed.join('\n')}`]),
      ...(ending ? [`*${words.endings[ending.reason]}. ${ending.message}*`] : []),
    ].join('\n\n');
  });
  return `# ${title}\n\n${parts.join('\n\n')}\n`;
}

function nameOf({ kind, path, line }: Cited): string {
  return kind === 'VAULT' || line === null ? path : `${path}:${line}`;
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
