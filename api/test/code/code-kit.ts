import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { samples } from './samples.ts';

export const files = () => [
  ...Object.entries(samples).map(([path, text]) => ({ path, text })),
  { path: 'src/worker.ts', text: worker },
  { path: 'src/report.ts', text: "import { createQueue } from './queue.ts';\n\nexport const queue = createQueue();\n" },
  { path: 'docs/queue.md', text: '# The queue\n\nEvery job has a retry policy; see createQueue.\n' },
];

export const worker = `import { createQueue, type Job } from './queue.ts';

/** Tries again after a while, longer each time. */
export function retryWithBackoff(job: Job): void {
  const queue = createQueue();
  queue.add(job);
}
`;

interface Saved {
  readonly saveCodeFiles: Readonly<Record<string, unknown>>;
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
  readonly score: number;
}

/** A server with a person who has some code. */
export interface CodeKit extends Kit {
  readonly user: TestUser;
  save(sent: readonly { path: string; text: string }[]): Promise<Saved['saveCodeFiles']>;
  search(query: string, options?: { path?: string; limit?: number }, as?: TestUser): Promise<readonly Hit[]>;
}

export async function startCodeKit(): Promise<CodeKit> {
  const kit = await startKit();
  const user = await kit.newUser();

  async function save(sent: readonly { path: string; text: string }[]) {
    const { saveCodeFiles } = await user.ask<Saved>(
      `mutation ($files: [CodeFileInput!]!) { saveCodeFiles(input: { files: $files }) {
        ... on SavedCodeFiles { created changed unchanged } ... on InvalidInput { problems { field message } } } }`,
      { files: sent },
    );
    return saveCodeFiles;
  }

  await save(files());
  return {
    ...kit,
    user,
    save,
    async search(query, options = {}, as = user) {
      const { searchCode } = await as.ask<{ searchCode: readonly Hit[] }>(
        `query ($query: String!, $path: String, $limit: Int) {
          searchCode(query: $query, path: $path, limit: $limit) { path line snippet score } }`,
        { query, ...options },
      );
      return searchCode;
    },
  };
}

export const places = (hits: readonly { path: string; line: number }[]) =>
  hits.map(({ path, line }) => `${path}:${line}`);
