import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';

/** A model of our own. Everything here streams, so the other way of asking is refused instead of kept alive unused. */
export function streamingModel(
  provider: string,
  modelId: string,
  open: (options: LanguageModelV4CallOptions) => Promise<ReadableStream<LanguageModelV4StreamPart>>,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new UnsupportedFunctionalityError({ functionality: 'doGenerate' })),
    doStream: async (options) => ({ stream: await open(options) }),
  };
}
