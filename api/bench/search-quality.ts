import type { Vault } from '../src/vault/vault.ts';
import { questions } from './sample-questions.ts';

/** How well search finds the notes that answer the labelled questions. */
export interface SearchQuality {
  readonly questions: number;
  /** The share of questions whose answer is the first hit, and among the first five. */
  readonly hitRateAt1: number;
  readonly hitRateAt5: number;
  /** Mean of one divided by the place of the answer, 0 where it is not among the first ten. */
  readonly meanReciprocalRank: number;
  /** The questions whose answer is not the first hit, and where it is. */
  readonly missed: readonly {
    readonly question: string;
    readonly answer: string;
    readonly place: number | undefined;
  }[];
}

const deepest = 10;

export async function measureQuality(vault: Vault, projectId: string): Promise<SearchQuality> {
  const places: (number | undefined)[] = [];
  for (const { question, answers } of questions) {
    const hits = await vault.search(projectId, { query: question, limit: deepest });
    const index = hits.findIndex(({ path }) => answers.includes(path));
    places.push(index === -1 ? undefined : index + 1);
  }
  const share = (count: number) => count / questions.length;
  const within = (limit: number) => share(places.filter((place) => place !== undefined && place <= limit).length);
  return {
    questions: questions.length,
    hitRateAt1: within(1),
    hitRateAt5: within(5),
    meanReciprocalRank: share(places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : 1 / place), 0)),
    missed: questions
      .map(({ question, answers }, index) => ({ question, answer: answers.join(' or '), place: places[index] }))
      .filter(({ place }) => place !== 1),
  };
}
