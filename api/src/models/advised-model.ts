import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';
import { AdvisedFailure } from './explain-failure.ts';

/** A model that, should its provider not know it, says which ones the provider does know. */
export function advisedModel(model: LanguageModelV4, advise: () => Promise<string>): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      try {
        return await model.doStream(options);
      } catch (error) {
        if (!isUnknownModel(error)) throw error;
        const advice = await advise();
        throw advice === '' ? error : new AdvisedFailure(error, advice);
      }
    },
  };
}

/** Most answer 404; OpenRouter answers 400 and says that it is no valid model. */
function isUnknownModel(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  if (error.statusCode === 404) return true;
  return (
    error.statusCode === 400 && /not a valid model|model_not_found|model.{0,80}does not exist/i.test(toldBy(error))
  );
}

function toldBy({ data, message }: APICallError): string {
  return data === undefined ? message : JSON.stringify(data).slice(0, 4_000);
}
