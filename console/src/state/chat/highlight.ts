export interface HighlightRequest {
  readonly id: number;
  readonly language: string;
  readonly text: string;
}

/** Text, and the CSS variable that colours it. */
export type Piece = readonly [content: string, colour: string];

/** Lines of pieces; none when the language is not known. */
export interface HighlightAnswer {
  readonly id: number;
  readonly lines: readonly (readonly Piece[])[] | undefined;
}

/** More than this is shown without colours: drawing it would take longer than anybody reads. */
const longestHighlighted = 20_000;

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, (lines: HighlightAnswer['lines']) => void>();

/** Colours code in a worker, which is started for the first piece of code that anybody sees. */
export function highlight(language: string, text: string): Promise<HighlightAnswer['lines']> {
  if (language === '' || text.length > longestHighlighted) return Promise.resolve(undefined);
  worker ??= startWorker();
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker?.postMessage({ id, language, text } satisfies HighlightRequest);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  started.addEventListener('error', () => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  });
  return started;
}
