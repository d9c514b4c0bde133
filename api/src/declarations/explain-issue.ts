import type { z } from 'zod';
import { didYouMean } from '../tools/did-you-mean.ts';
import { nearest } from '../vault/nearest.ts';

export type Explained = { readonly path: readonly PropertyKey[]; readonly message: string };

/** The words of zod, as they are said of a file that does not match the schema. */
export function explainIssue(issue: z.core.$ZodIssue, schema: z.ZodType): readonly Explained[] {
  const name = issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const candidates = keysAt(schema, issue.path);
        const guess = didYouMean(nearest(key, candidates, 1), `There is ${candidates.join(', ')}.`);
        return { path: [...issue.path, key], message: `There is no "${key}" here. ${guess}` };
      });
    case 'invalid_value': {
      const values = issue.values.map(String);
      if (issue.input === undefined) return [missing(issue.path, `One of ${values.join(', ')}.`)];
      const given = JSON.stringify(issue.input);
      const word = typeof issue.input === 'string' ? issue.input : '';
      const guess = didYouMean(nearest(word, values, 1), `It is one of ${values.join(', ')}.`);
      return [{ path: issue.path, message: `"${name}" cannot be ${given}. ${guess}` }];
    }
    case 'invalid_type':
      if (issue.input === undefined) return [missing(issue.path)];
      return [{ path: issue.path, message: `"${name}" must be ${kinds[issue.expected] ?? issue.expected}.` }];
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
      const unit = units[issue.origin] ?? '';
      return [{ path: issue.path, message: `"${name}" ${unit ? 'has' : 'is'} ${bound}${unit}.` }];
    }
    case 'invalid_union':
      return [{ path: issue.path, message: `"${name}" must be a text, a number, true or false.` }];
    default:
      return [{ path: issue.path, message: sentence(`"${name}" ${issue.message}`) }];
  }
}

function missing(path: readonly PropertyKey[], hint = ''): Explained {
  return { path, message: `"${path.join('.')}" is missing. ${hint}`.trim() };
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a table',
  record: 'a table',
  array: 'a list',
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** The keys that may stand at a path of the schema. */
function keysAt(whole: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = whole;
  for (const step of path) schema = unwrapped((schema as { shape?: Record<PropertyKey, unknown> }).shape?.[step]);
  return Object.keys((schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {});
}

function unwrapped(schema: unknown): unknown {
  const inner = (schema as { unwrap?: () => unknown } | undefined)?.unwrap;
  return inner ? unwrapped(inner.call(schema)) : schema;
}

/** The first line of it, with a mark at its end. */
export function sentence(text: string): string {
  const first = text.split('\n')[0]?.trim() ?? text;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
