import type { LanguageModelV4 } from '@ai-sdk/provider';
import { afterEach, beforeEach } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/kit/model-server.ts';
import { callModel } from '../call-model.ts';
import type { ModelEvent, ModelFailure, ModelRequest } from '../model-port.ts';
import { createChatCompletionsModel } from '../openai/chat-completions-model.ts';
import { usualRetries } from '../retry-after.ts';

export const key = 'sk-the-secret-key-of-this-test';
export const question = 'Which harbour did the expedition leave from?';
const retries = { ...usualRetries, firstDelayMs: 1 };

/** Everything that one call to a model gave. */
export interface Heard {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly calls: readonly Extract<ModelEvent, { type: 'tool-call' }>[];
  readonly finish: Extract<ModelEvent, { type: 'finish' }> | undefined;
  readonly failure: ModelFailure | undefined;
}

export interface Asking {
  readonly server: ModelServer;
  readonly model: LanguageModelV4;
  ask(overrides?: Partial<ModelRequest>, model?: LanguageModelV4): Promise<Heard>;
}

/** A scripted server for each test of the file, and a model that talks to it. */
export function useAsking(): Asking {
  let server: ModelServer;
  let model: LanguageModelV4;
  beforeEach(async () => {
    server = await startModelServer();
    model = createChatCompletionsModel({ provider: 'test', baseUrl: server.url, apiKey: key }, 'some-model');
  });
  afterEach(() => server.stop());
  return {
    get server() {
      return server;
    },
    get model() {
      return model;
    },
    ask: (overrides, asked = model) => listen(asked, request(overrides)),
  };
}

export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: 'user', text: question }],
    tools: [],
    maxOutputTokens: 500,
    thinking: false,
    signal: new AbortController().signal,
    deadline: performance.now() + 30_000,
    ...overrides,
  };
}

async function listen(model: LanguageModelV4, asked: ModelRequest): Promise<Heard> {
  const events: ModelEvent[] = [];
  let failure: ModelFailure | undefined;
  try {
    await callModel(model, asked, (event) => void events.push(event), retries);
  } catch (error) {
    failure = error as ModelFailure;
  }
  return {
    events,
    text: events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    calls: events.filter((event) => event.type === 'tool-call'),
    finish: events.find((event) => event.type === 'finish'),
    failure,
  };
}
