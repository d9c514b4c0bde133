import { type ListedModel, readListing } from './listing.ts';

/** Where a provider lists its models. */
export interface ListSource {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Listing =
  | { readonly type: 'listed'; readonly models: ReadonlyMap<string, ListedModel> }
  /** In words that finish the sentence "The list of models is not to be had: …". */
  | { readonly type: 'failed'; readonly reason: string };

export interface Patience {
  readonly timeoutMs: number;
  /** How long a list is believed. */
  readonly freshMs: number;
  /** How long a failure is, so that a dead server is not asked with every look at the list. */
  readonly failedMs: number;
  now(): number;
}

export const usualPatience: Patience = {
  timeoutMs: 3_000,
  freshMs: 600_000,
  failedMs: 15_000,
  now: () => performance.now(),
};

const longestAnswer = 16_000_000;

/**
 * What one provider offers: asked for when somebody wants to know, then kept for a while. Never throws. When asking again
 * fails, the list known before still stands.
 */
export class ProviderList {
  #listing: Listing | undefined;
  #askAgainAt = 0;
  #asking: Promise<Listing> | undefined;

  constructor(
    private readonly source: ListSource,
    private readonly patience: Patience = usualPatience,
  ) {}

  /** What is known without asking. */
  get known(): ReadonlyMap<string, ListedModel> | undefined {
    return this.#listing?.type === 'listed' ? this.#listing.models : undefined;
  }

  async get(): Promise<Listing> {
    if (this.#listing !== undefined && this.patience.now() < this.#askAgainAt) return this.#listing;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async #ask(): Promise<Listing> {
    const answer = await fetchListing(this.source, this.patience.timeoutMs);
    const { freshMs, failedMs } = this.patience;
    this.#askAgainAt = this.patience.now() + (answer.type === 'listed' ? freshMs : failedMs);
    if (answer.type === 'listed' || this.known === undefined) this.#listing = answer;
    return this.#listing ?? answer;
  }
}

async function fetchListing({ url, headers }: ListSource, timeoutMs: number): Promise<Listing> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { headers: { accept: 'application/json', ...headers }, signal });
    if (!response.ok) {
      await response.body?.cancel().catch(() => undefined);
      return failed(refusal(response.status));
    }
    const models = readListing(JSON.parse(await readText(response)));
    if (models === undefined) return failed('it sent something that is no list of models');
    return { type: 'listed', models: new Map(models.map((model) => [model.id, model])) };
  } catch (error) {
    if (signal.aborted) return failed(`it did not answer within ${Math.max(1, Math.round(timeoutMs / 1000))} s`);
    if (error instanceof SyntaxError || error instanceof RangeError) return failed('it sent something unreadable');
    return failed('it cannot be reached');
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > longestAnswer) throw new RangeError('The list is too long.');
  }
  return text + decoder.decode();
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `it refused the key of this server (${status})`;
  if (status === 404 || status === 405) return `it does not list its models (${status})`;
  if (status === 429) return 'it is limiting requests (429)';
  return status >= 500 ? `it is in trouble (${status})` : `it refused to tell (${status})`;
}

function failed(reason: string): Listing {
  return { type: 'failed', reason };
}
