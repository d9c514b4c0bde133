import { type Reply, reply } from '../kit/model-replies.ts';
import type { ModelServer, ModelServerRequest } from '../kit/model-server.ts';

export type Answering = (request: ModelServerRequest, number: number) => Reply;

/** Many scripted models behind one server, so that many runs can be under way at once. */
export interface RoutedModels {
  /** Adds a model and returns the name to ask for. `number` is 1 for its first request. */
  add(id: string, answering: Answering | readonly Reply[]): string;
  /** The requests that a model got, in order. */
  requests(id: string): readonly ModelServerRequest[];
}

export function routeModels(server: ModelServer): RoutedModels {
  const models = new Map<string, Answering>();
  const requests = new Map<string, ModelServerRequest[]>();
  server.otherwise((request) => {
    const { model } = request.body;
    const known = requests.get(model) ?? [];
    requests.set(model, known);
    known.push(request);
    return models.get(model)?.(request, known.length) ?? reply.error(404, { message: `No model ${model}.` });
  });
  return {
    add(id, answering) {
      models.set(id, typeof answering === 'function' ? answering : (_request, number) => answering[number - 1] ?? done);
      return `openai/${id}`;
    },
    requests: (id) => requests.get(id) ?? [],
  };
}

const done = reply.text('That is all.');
