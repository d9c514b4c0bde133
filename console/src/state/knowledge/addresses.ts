/** Addresses of what is known, for links from anywhere in the console. Without a project, the default one is meant. */

export function noteAddress(path: string, project?: string): string {
  return `/knowledge/notes/${encoded(path)}${queryOf({ project })}`;
}

export function codeAddress(path: string, line?: number | null, project?: string): string {
  return `/knowledge/code/${encoded(path)}${queryOf({ project, line: line ? String(line) : undefined })}`;
}

export function threadAddress(id: string, project?: string, entry?: number): string {
  return `/knowledge/threads/${encodeURIComponent(id)}${queryOf({ project, entry: entry ? String(entry) : undefined })}`;
}

export type KnowledgeSection = 'notes' | 'threads' | 'code' | 'import';

export function sectionAddress(section: KnowledgeSection, project?: string, more: Query = {}): string {
  return `/knowledge/${section}${queryOf({ project, ...more })}`;
}

type Query = Readonly<Record<string, string | undefined>>;

function queryOf(values: Query): string {
  const present = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
}

/** Part by part, so that folders stay readable and nothing in a name ends the path. */
function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The path that an address names, also where a person typed it without encoding anything. */
export function pathIn(encodedPath: string): string {
  return encodedPath
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    })
    .join('/');
}

/** The folder that a file lies in; empty for the outermost. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Every folder on the way to this one, itself included. */
export function foldersTo(folder: string): readonly { readonly name: string; readonly path: string }[] {
  const parts = folder.split('/').filter(Boolean);
  return parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') }));
}
