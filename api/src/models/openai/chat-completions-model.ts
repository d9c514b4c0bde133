import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type Adaptation, Adaptations, adaptedTo, isThinking } from '../adaptations.ts';
import { streamingModel } from '../streaming-model.ts';
import { ChatBody } from './chat-body.ts';
import { connectionFailed, replyStream } from './reply-stream.ts';
import { type ThinkingDialect, thinkingDialectOf } from './thinking-dialect.ts';

export interface ChatEndpoint {
  readonly provider: string;
  /** With the version in it, such as https://openrouter.ai/api/v1. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** What this endpoint wants to be told about thinking; by its address unless given. */
  readonly thinking?: ThinkingDialect;
  /** What its models turned out to refuse; outlives the single model, which is made anew for every run. */
  readonly adaptations?: Adaptations;
}

const longestErrorBody = 20_000;

/**
 * A model behind the OpenAI chat completions protocol. Written here rather than taken from @ai-sdk/openai-compatible 3.0,
 * which fails a complete reply that has no finish reason, loses finish reason and usage when an error comes inside a 200,
 * checks every delta with a schema and serialises the whole conversation on every turn.
 */
export function createChatCompletionsModel(endpoint: ChatEndpoint, modelId: string): LanguageModelV4 {
  const body = new ChatBody(modelId);
  const url = `${endpoint.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const { thinking = thinkingDialectOf(endpoint.baseUrl), adaptations = new Adaptations() } = endpoint;

  /** Asks, and asks again when the model refuses a parameter that it can do without. */
  async function ask(options: LanguageModelV4CallOptions, adaptation: Adaptation): Promise<Response> {
    const thinks = isThinking(options);
    const extra = adaptation.silentOnThinking ? {} : thinking(thinks, modelId);
    const response = await post(url, endpoint, body.write(options, { extra, newerCap: adaptation.newerCap }), options);
    if (response.ok) {
      if (adaptation !== adaptations.of(modelId, thinks)) adaptations.remember(modelId, thinks, adaptation);
      return response;
    }
    const refused = await refusal(url, response);
    const next = adaptedTo(refused, adaptation, Object.keys(extra).length > 0);
    if (next === undefined) throw refused;
    return await ask(options, next);
  }

  return streamingModel(endpoint.provider, modelId, async (options) =>
    replyStream(await ask(options, adaptations.of(modelId, isThinking(options))), modelId),
  );
}

async function post(
  url: string,
  endpoint: ChatEndpoint,
  body: string,
  options: LanguageModelV4CallOptions,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
        ...endpoint.headers,
      },
      body,
      ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
    });
  } catch (cause) {
    throw connectionFailed(url, cause);
  }
}

async function refusal(url: string, response: Response): Promise<APICallError> {
  const text = (await response.text().catch(() => '')).slice(0, longestErrorBody);
  return new APICallError({
    message: `Refused with status ${response.status}.`,
    url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    data: parsed(text),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
