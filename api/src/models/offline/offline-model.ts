import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Act, type ActingOptions, actingModel } from '../acting-model.ts';
import type { QuotingModel } from '../quoting-model.ts';
import type { Scene } from '../scene.ts';
import { answerFrom } from './answer.ts';
import { keywords } from './keywords.ts';
import { nextCalls } from './next-calls.ts';
import { readMaterial } from './read-material.ts';

/** Answers by retrieval: searches, reads the best notes, follows what they leave open, and quotes what fits, with its sources. */
export function createOfflineModel(options: ActingOptions = {}): LanguageModelV4 & QuotingModel {
  return { ...actingModel('offline', act, options), quotes: true };
}

function act(scene: Scene): Act {
  const report = readMaterial(scene.question);
  if (report !== undefined) return { text: report };
  const words = keywords(scene.question);
  const calls = nextCalls(scene, words);
  return calls.length > 0 ? { calls } : { text: answerFrom(scene.calls(), words) };
}
