import { folderState } from './read-folder.ts';

/** Changes are seen within this time, whatever the file system tells of by itself. */
const everyMs = 300;

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Calls back after something in the folder has changed. Looks by itself instead of being told: watching is unreliable on
 * mounted folders, and for folders that come and go.
 */
export async function watchFolder(
  folder: string,
  onChange: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<FolderWatch> {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let state = await folderState(folder).catch(() => '');
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const present = await folderState(folder);
    if (present === state) return;
    state = present;
    await onChange();
  }

  function lookLater(): void {
    timer = setTimeout(() => {
      looking = look().catch(onFailure);
      void looking.then(() => {
        if (!closed) lookLater();
      });
    }, everyMs).unref();
  }

  lookLater();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
