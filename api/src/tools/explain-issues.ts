import type { z } from 'zod';

/** Every complaint as a sentence that names the argument, for a model to act on. */
export function explainIssues(error: z.ZodError): readonly string[] {
  return error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return `${path === '' ? 'The arguments' : `"${path}"`}: ${issue.message}.`;
  });
}
