import { z } from 'zod';
import { findProblems } from '../access/problems.ts';
import type { FieldProblem } from '../agent/settings.ts';

export const longestTitle = 200;
export const longestLabel = 100;

const name = (called: string, most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: `${called} must not be empty.` })
    .max(most, { error: `${called} must be at most ${most} characters long.` })
    .regex(/^\P{Cc}*$/u, { error: `${called} must not contain control characters.` });

export type CheckedName =
  | { readonly type: 'accepted'; readonly name: string }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] };

export function checkTitle(title: string): CheckedName {
  return check('title', name('Title', longestTitle), title);
}

export function checkLabel(label: string): CheckedName {
  return check('label', name('Label', longestLabel), label);
}

function check(field: string, schema: z.ZodType<string>, value: string): CheckedName {
  const parsed = z.object({ [field]: schema }).safeParse({ [field]: value });
  if (!parsed.success) return { type: 'invalid', problems: findProblems(parsed.error, { [field]: value }) };
  return { type: 'accepted', name: parsed.data[field] ?? '' };
}
