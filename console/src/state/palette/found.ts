import type { PaletteQuery } from '@oracle-agent/sdk/documents';
import { words } from '../../words.ts';
import { noteAddress } from '../knowledge/addresses.ts';
import { formatRelative } from '../time-format.ts';
import type { PaletteItem } from './commands.ts';

/** What the server found by name, as the palette lists it. */
export function foundItems(found: PaletteQuery, now: Date): readonly PaletteItem[] {
  const conversations = found.conversations.edges.map(
    ({ node }): PaletteItem => ({
      id: `conversation:${node.id}`,
      group: 'conversations',
      label: node.title || words.list.untitled,
      detail: formatRelative(node.updatedAt, now),
      href: `/c/${node.id}`,
    }),
  );
  const notes = (found.searchNotes ?? []).map(
    ({ path, title, project }): PaletteItem => ({
      id: `note:${project.id}:${path}`,
      group: 'notes',
      label: title,
      detail: project.isDefault ? path : words.palette.inProject(path, project.name),
      href: noteAddress(path, project.isDefault ? undefined : project.id),
    }),
  );
  const runs = found.runs.edges.map(
    ({ node }): PaletteItem => ({
      id: `run:${node.id}`,
      group: 'runs',
      label: node.question || words.palette.untitledRun,
      detail: node.status === 'RUNNING' ? words.list.running : formatRelative(node.startedAt, now),
      href: `/runs/${node.id}`,
    }),
  );
  const people = (found.users?.edges ?? []).map(
    ({ node }): PaletteItem => ({
      id: `person:${node.id}`,
      group: 'people',
      label: node.name,
      detail: node.email,
      href: `/admin/users/${node.id}`,
    }),
  );
  return [...conversations, ...notes, ...runs, ...people];
}
