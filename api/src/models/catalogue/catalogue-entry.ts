export type ModelGroup = 'PROVIDER' | 'OFFLINE' | 'SIMULATED';

/** One line of the catalogue. */
export interface CatalogueEntry {
  /** What to ask for, or with `pattern`, the form of it. */
  readonly id: string;
  readonly provider: string;
  readonly group: ModelGroup;
  readonly title: string;
  readonly description?: string;
  /** Tokens that it can hold at once. */
  readonly window: number;
  /** Undefined where the provider does not say. */
  readonly tools: boolean | undefined;
  readonly thinking: boolean | undefined;
  readonly pattern: boolean;
  /** Why it cannot be asked; absent when it can. */
  readonly unavailable?: string;
}
