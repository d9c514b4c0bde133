import type { Hear, ModelRequest } from '../../models/model-port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';

/** What the Librarian has beside what its run has. */
export interface LibrarianPorts {
  readonly modelName: string;
  readonly windowSize: number;
  /** How long it may take, within what the run has left. */
  readonly timeoutSeconds: number;
  callModel(request: ModelRequest, hear: Hear): Promise<void>;
  /** For tasks of its own: those that only read. */
  readonly tools: ToolRegistry;
  readonly summaries: SummaryCache;
}

/** Finished summaries of one person's project. Other people's are out of reach. */
export interface SummaryCache {
  find(key: string): Promise<string | undefined>;
  keep(key: string, summary: string): Promise<void>;
}
