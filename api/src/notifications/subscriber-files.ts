import type { FileProblem } from '../declarations/file-problem.ts';
import { ProblemLog } from '../declarations/problem-log.ts';
import { readFolder } from '../declarations/read-folder.ts';
import { type FolderWatch, watchFolder } from '../declarations/watch-folder.ts';
import { lineOf, parseSubscriber, type Subscriber } from '../events/subscriber.ts';
import type { Logger } from '../logger.ts';

/** Where subscribers are declared: with the product, and by whoever runs it. */
export interface SubscriberFolders {
  readonly builtIn: string;
  readonly own: string;
}

/** The subscribers as their files declare them now. A bad file is reported and passed over; all others work. */
export class SubscriberFiles {
  #builtIn: readonly Subscriber[] = [];
  #subscribers: readonly Subscriber[] = [];
  #problems: readonly FileProblem[] = [];
  #watch: FolderWatch | undefined;
  readonly #problemLog: ProblemLog;

  private constructor(
    private readonly folders: SubscriberFolders,
    log: Logger,
  ) {
    this.#problemLog = new ProblemLog(log, 'a subscriber is not used');
  }

  static async open(folders: SubscriberFolders, log: Logger): Promise<SubscriberFiles> {
    const files = new SubscriberFiles(folders, log);
    files.#builtIn = await builtInSubscribersOf(folders.builtIn);
    // Before it is read, lest a change in between is missed.
    files.#watch = await watchFolder(
      folders.own,
      () => files.#read(),
      (error) => log.warn({ reason: String(error) }, 'the folder of subscribers could not be read'),
    );
    await files.#read();
    return files;
  }

  /** Another list whenever a file has changed; the same one until then. */
  get subscribers(): readonly Subscriber[] {
    return this.#subscribers;
  }

  get problems(): readonly FileProblem[] {
    return this.#problems;
  }

  async close(): Promise<void> {
    await this.#watch?.close();
  }

  async #read(): Promise<void> {
    const { files, problems } = await readFolder(this.folders.own);
    const found = [...problems];
    const taken = new Map(this.#builtIn.map(({ id }) => [id, 'the product itself']));
    const own: Subscriber[] = [];
    for (const { file, text } of files) {
      const parsed = parseSubscriber(file, text);
      if ('problems' in parsed) {
        found.push(...parsed.problems);
        continue;
      }
      const { id } = parsed.subscriber;
      const holder = taken.get(id);
      if (holder !== undefined) {
        found.push({ file, line: lineOf(text, ['id']), message: `The id "${id}" is taken by ${holder}.` });
        continue;
      }
      taken.set(id, file);
      own.push(parsed.subscriber);
    }
    this.#problemLog.tell(found);
    this.#subscribers = [...this.#builtIn, ...own];
    this.#problems = found;
  }
}

/** Those of the product are part of it: a mistake in one is a mistake of ours, and stops the start. */
export async function builtInSubscribersOf(folder: string): Promise<readonly Subscriber[]> {
  const { files, problems } = await readFolder(folder);
  if (files.length === 0) throw new Error(`There are no subscribers in ${folder}.`);
  const parsed = files.map(({ file, text }) => parseSubscriber(file, text));
  const wrong = [...problems, ...parsed.flatMap((one) => ('problems' in one ? one.problems : []))];
  if (wrong.length > 0)
    throw new Error(wrong.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
  return parsed.flatMap((one) => ('subscriber' in one ? [one.subscriber] : []));
}
