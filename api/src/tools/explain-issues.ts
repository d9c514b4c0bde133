import type { z } from 'zod';
import type { Json } from '../agent/json.ts';

type Issue = z.core.$ZodIssue;

/** Every complaint as a sentence that names the argument and what it must be, for a model to act on. */
export function explainIssues(error: z.ZodError, input: Json): readonly string[] {
  return error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys')
      return `Leave out ${issue.keys.map(quoted).join(', ')}: there is no such argument.`;
    const path = issue.path.map(String).join('.');
    if (path === '')
      return `The arguments must be a JSON object${issue.code === 'invalid_type' ? '' : `: ${issue.message}`}.`;
    if (valueAt(input, issue.path) === undefined) return `${quoted(path)} is missing; it ${demand(issue)}.`;
    return `${quoted(path)} ${demand(issue)}.`;
  });
}

function demand(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must have at least ${issue.minimum} characters`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    default:
      return `is wrong: ${issue.message.replace(/\.$/, '')}`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function quoted(name: string): string {
  return `"${name}"`;
}
