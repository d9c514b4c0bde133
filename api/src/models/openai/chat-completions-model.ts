import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { streamingModel } from '../streaming-model.ts';
import { ChatBody } from './chat-body.ts';
import { connectionFailed, replyStream } from './reply-stream.ts';

export interface ChatEndpoint {
  readonly provider: string;
  /** With the version in it, such as https://openrouter.ai/api/v1. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** What this endpoint wants to be told about reasoning, if anything: plain OpenAI models refuse what they don't know. */
  readonly reasoning?: (thinking: boolean) => object;
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
  return streamingModel(endpoint.provider, modelId, async (options) => {
    const extra = endpoint.reasoning?.(options.reasoning !== undefined && options.reasoning !== 'none') ?? {};
    const response = await post(url, endpoint, body.write(options, extra), options);
    if (!response.ok) throw await refusal(url, response);
    return replyStream(response, modelId);
  });
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
