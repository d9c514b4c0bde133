import type { z } from 'zod';
import type { FieldProblem } from '../agent/settings.ts';

/** Every bad field with its first complaint, in the form that clients show. */
export function findProblems(error: z.ZodError, input: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const issue of error.issues) {
    const field = issue.path.join('.');
    if (problems.has(field)) continue;
    const min = issue.code === 'too_small' ? Number(issue.minimum) : undefined;
    const max = issue.code === 'too_big' ? Number(issue.maximum) : undefined;
    problems.set(field, { field, message: issue.message, value: input[field], min, max });
  }
  return [...problems.values()];
}
