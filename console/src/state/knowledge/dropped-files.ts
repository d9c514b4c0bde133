export interface DroppedFile {
  readonly path: string;
  readonly size: number;
  readonly file: File;
}

/** Files chosen in a picker; those of a folder carry their path in it. */
export function pickedFiles(list: FileList | null): readonly DroppedFile[] {
  return [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, size: file.size, file }));
}

/** Files and folders that were dropped, folders walked to their end or until there are too many. */
export async function droppedFiles(transfer: DataTransfer | null, most: number): Promise<readonly DroppedFile[]> {
  // The entries must be asked for at once: after the first pause the browser has forgotten them.
  const entries = [...(transfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: DroppedFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry && found.length <= most; entry = waiting.shift()) {
    if (entry.isFile) {
      const file = await new Promise<File | undefined>((resolve) =>
        (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined)),
      );
      if (file) found.push({ path: entry.fullPath.replace(/^\//, ''), size: file.size, file });
    } else if (entry.isDirectory) waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
  }
  return found;
}

/** A folder's reader hands over a hundred at a time, until there are none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return found;
    found.push(...some);
  }
}
