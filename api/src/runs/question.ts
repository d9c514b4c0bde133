export const longestQuestion = 32_000;

export type CheckedQuestion =
  | { readonly type: 'accepted'; readonly question: string }
  | { readonly type: 'refused'; readonly message: string };

/** What no text column and no provider can hold is mended; what makes no question is refused. */
export function checkQuestion(asked: string): CheckedQuestion {
  const question = asked.replaceAll('\0', '').toWellFormed();
  if (question.trim() === '') return { type: 'refused', message: 'The question is empty.' };
  if (question.length <= longestQuestion) return { type: 'accepted', question };
  const message = `A question may be at most ${longestQuestion} characters long; this one has ${question.length}.`;
  return { type: 'refused', message };
}
