import { words } from '../../words.ts';

/** A file as the browser hands it over, before it is read. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
}

export interface PlannedFile<Kind extends 'note' | 'code' | 'skipped' = 'note' | 'code' | 'skipped'> extends FoundFile {
  readonly kind: Kind;
  readonly reason?: string;
}

/** What the server takes. */
export const largestFile = 1_000_000;
const longestPath = 500;
const bundleFiles = 50;
const bundleBytes = 1_000_000;
/** More than this is for the command line, which goes on where it was interrupted. */
export const mostFiles = 5_000;

const noteEndings = /\.(md|markdown|mdown)$/i;
const pictureEndings =
  /\.(png|jpe?g|gif|webp|avif|bmp|ico|svgz|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|xz|7z|rar|jar|class|wasm|exe|dll|so|dylib|o|a|bin|dat|db|sqlite3?|mp[34]|m4a|wav|ogg|mov|avi|mkv|webm|woff2?|ttf|otf|eot|pyc|lock)$/i;
const leftOut = /(^|\/)(\.[^/]+|node_modules|dist|build|target|vendor|__pycache__|coverage)\//;

/** What becomes of each file, told before anything is sent. */
export function planImport<File extends FoundFile>(files: readonly File[]): readonly (File & PlannedFile)[] {
  return files.map((file) => {
    const reason = reasonAgainst(file);
    if (reason !== undefined) return { ...file, kind: 'skipped' as const, reason };
    return { ...file, kind: noteEndings.test(file.path) ? ('note' as const) : ('code' as const) };
  });
}

function reasonAgainst({ path, size }: FoundFile): string | undefined {
  const said = words.knowledge.import.skipped;
  if (leftOut.test(path) || /(^|\/)\.[^/]+$/.test(path)) return said.hidden;
  if (pictureEndings.test(path)) return said.notText;
  if (size > largestFile) return said.tooLarge(size, largestFile);
  if (path.length > longestPath) return said.longPath;
  return undefined;
}

/** Files that go in one request: few enough, and small enough, to be taken and to show progress. */
export function bundle<File extends FoundFile>(files: readonly File[]): readonly (readonly File[])[] {
  const bundles: File[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = bundles.at(-1);
    if (last && last.length < bundleFiles && bytes + file.size <= bundleBytes) {
      last.push(file);
      bytes += file.size;
    } else {
      bundles.push([file]);
      bytes = file.size;
    }
  }
  return bundles;
}
