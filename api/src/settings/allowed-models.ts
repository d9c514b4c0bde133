import type { FieldProblem } from '../agent/settings.ts';

/** Which models may answer: ids, or patterns in which `*` stands for anything. An empty list allows all. */
export type AllowedModels = readonly string[];

const mostPatterns = 100;
const pattern = /^[\x21-\x7e]{1,200}$/;

export function isModelAllowed(allowed: AllowedModels, model: string): boolean {
  return allowed.length === 0 || allowed.some((one) => fits(one, model));
}

/** Told to whoever asked for another one. */
export function notAllowed(allowed: AllowedModels, model: string): string {
  return `The model "${model}" is not allowed in your organisation. Allowed: ${allowed.join(', ')}.`;
}

/** Reads what is stored, whatever its age. */
export function readAllowedModels(modelCeilings: unknown): AllowedModels {
  const stored = typeof modelCeilings === 'object' && modelCeilings !== null ? modelCeilings : {};
  const list: unknown = 'allowedModels' in stored ? stored.allowedModels : [];
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string' && pattern.test(one)) : [];
}

export function checkAllowedModels(value: unknown): readonly FieldProblem[] {
  if (value === undefined || value === null) return [];
  const field = 'allowedModels';
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const problems = list.flatMap((one) =>
    typeof one === 'string' && pattern.test(one)
      ? []
      : [
          problem(
            `A model must be 1 to 200 printable characters without spaces; you sent ${JSON.stringify(one)}.`,
            one,
          ),
        ],
  );
  if (list.length <= mostPatterns) return problems;
  return [...problems, problem(`At most ${mostPatterns} models can be listed; you sent ${list.length}.`, list.length)];

  function problem(message: string, sent: unknown): FieldProblem {
    return { field, message, value: sent, min: undefined, max: undefined };
  }
}

/** The `*` is the only sign that means anything. No backtracking: each part is looked for once, from left to right. */
function fits(one: string, model: string): boolean {
  const [start = '', ...parts] = one.split('*');
  if (parts.length === 0) return one === model;
  const end = parts.pop() ?? '';
  if (!model.startsWith(start) || !model.endsWith(end)) return false;
  let from = start.length;
  for (const part of parts) {
    const at = model.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= model.length - end.length;
}
