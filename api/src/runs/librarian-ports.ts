import { callModel } from '../models/call-model.ts';
import { ModelFailure, type ModelRequest } from '../models/model-port.ts';
import { type Models, UnknownModel } from '../models/model-registry.ts';
import type { LibrarianPorts, SummaryCache } from '../runner/librarian/librarian-port.ts';
import { delegateLibrarian } from '../tools/delegate-librarian.ts';
import { notifySelf } from '../tools/notify-self.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';

export interface LibrarianSettings {
  readonly subagentModel: string;
  readonly librarianTimeout: number;
}

/** The Librarian of one run, with the model that its person chose. Of the run's tools it gets those that change nothing. */
export function librarianPorts(
  models: Models,
  { subagentModel, librarianTimeout }: LibrarianSettings,
  tools: ToolRegistry,
  summaries: SummaryCache,
  patience: Partial<ModelRequest>,
): LibrarianPorts {
  const model = models.find(subagentModel);
  return {
    modelName: subagentModel,
    windowSize: models.windowSize(subagentModel),
    timeoutSeconds: librarianTimeout,
    async callModel(request, hear) {
      if (model instanceof UnknownModel) throw new ModelFailure('MODEL_ERROR', model.message, false);
      await callModel(model, { ...patience, ...request }, hear);
    },
    tools: readingTools(tools),
    summaries,
  };
}

const notForHelpers: ReadonlySet<string> = new Set([delegateLibrarian.name, notifySelf.name]);

function readingTools(tools: ToolRegistry): ToolRegistry {
  const all = tools.names.map((name) => tools.find(name)).filter((tool) => tool !== undefined);
  return createToolRegistry(all.filter((tool) => !tool.sideEffect && !notForHelpers.has(tool.name)));
}
