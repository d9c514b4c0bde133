import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import type { FileProblem } from '../declarations/file-problem.ts';
import { lineAndColumn, placeOf, tomlPlaces } from '../declarations/toml-places.ts';
import { type EventName, eventSeverities, isEventName, knownEventNames } from './event.ts';
import { partsOf } from './event-parts.ts';
import { matchesPattern } from './event-pattern.ts';

/** Most important first. */
export const priorities = ['CRITICAL', 'HIGH', 'NORMAL', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** When the person is told, and from when on the model's next request carries it. */
export const injectPoints = ['IMMEDIATE', 'TURN_START', 'AFTER_TOOL', 'TURN_END'] as const;
export type InjectPoint = (typeof injectPoints)[number];

export const audiences = ['PERSON', 'MODEL'] as const;
export type Audience = (typeof audiences)[number];

const pattern = z.string().superRefine((given, context) => {
  if (isEventName(given) || /^rule(\.[\w-]+)*\.\*$/.test(given)) return; // rules choose names of their own
  if (given.includes('*') && knownEventNames.some((name) => matchesPattern(given, name))) return;
  context.addIssue({
    code: 'custom',
    message: `"${given}" names no event. Events are ${knownEventNames.join(', ')}, or rule.<anything>; prefix.* names all below.`,
  });
});

const seconds = z.number().min(0).max(86_400);

/** What one file declares. */
export const SubscriberSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'An id is made of small letters, digits and dashes, at most 40.'),
  title: z.string().trim().min(1).max(80),
  description: z.string().trim().min(1).max(400),
  /** What it might say. */
  example: z.string().trim().min(1).max(400),
  events: z.array(pattern).min(1).max(20),
  /** Lesser events are passed over. */
  severity: z.enum(eventSeverities).default('DEBUG'),
  priority: z.enum(priorities).default('NORMAL'),
  inject: z.enum(injectPoints).default('TURN_START'),
  /** Cannot be switched off. */
  core: z.boolean().default(false),
  tell: z
    .array(z.enum(audiences))
    .min(1)
    .default([...audiences]),
  /** For the person: `{part}` stands for a part of the payload, `{times}` for how often. */
  template: z.string().trim().min(1).max(500),
  /** For the model: the parts of the payload that it is told, as columns; the words of the template when there are none. */
  columns: z.array(z.string().regex(/^\w+$/)).max(8).default([]),
  /** What the model was not told before the run ended is kept for the next one. */
  keep: z.boolean().default(false),
  batch: z.strictObject({ window_seconds: seconds, size: z.int().min(1).max(100) }).optional(),
  dedupe: z
    .strictObject({
      /** A template: what is the same for it, is the same. Without one, the event itself says. */
      key: z.string().min(1).max(200).optional(),
      /** The same is not told again within this time; it is counted, and told with its count afterwards. */
      window_seconds: seconds,
      /** Not worth telling before it happened so often. */
      at_least: z.int().min(1).max(100).default(1),
    })
    .optional(),
});

export type Subscriber = Readonly<z.output<typeof SubscriberSchema>>;

export type ParsedSubscriber = { readonly subscriber: Subscriber } | { readonly problems: readonly FileProblem[] };

const longestFile = 64 * 1024;

/** Pure: the file has been read. All that is wrong with it is told at once. */
export function parseSubscriber(file: string, text: string): ParsedSubscriber {
  if (text.length > longestFile) return { problems: [{ file, line: 1, message: 'The file is longer than 64 KiB.' }] };
  let declared: unknown;
  try {
    declared = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problems: [{ file, line: error.line, message: firstLine(error.message) }] };
  }
  const parsed = SubscriberSchema.safeParse(declared);
  const wrong = parsed.success ? unknownParts(parsed.data) : parsed.error.issues.map(placed);
  if (parsed.success && wrong.length === 0) return { subscriber: parsed.data };
  return {
    problems: wrong.map(({ path, message }) => ({
      file,
      line: lineOf(text, path),
      message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
    })),
  };
}

export function lineOf(text: string, path: readonly string[]): number {
  return lineAndColumn(text, placeOf(tomlPlaces(text), path).key).line;
}

interface Wrong {
  readonly path: readonly string[];
  readonly message: string;
}

function placed({ path, message, ...issue }: z.core.$ZodIssue): Wrong {
  const unknown = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : [];
  return { path: [...path.map(String), ...unknown.slice(0, 1)], message };
}

/** What is named, although none of the events carries it. What rules emit may carry anything. */
function unknownParts({ events, template, columns, dedupe }: Subscriber): readonly Wrong[] {
  if (events.some((name) => name === '*' || (name.startsWith('rule.') && partsOf(name as EventName) === undefined)))
    return [];
  const heard = knownEventNames.filter((name) => events.some((given) => matchesPattern(given, name)));
  const known = new Set(heard.flatMap((name) => partsOf(name) ?? []));
  const check = (path: readonly string[], names: readonly string[], more: readonly string[] = []) =>
    names
      .filter((name) => !known.has(name) && !more.includes(name))
      .map((name) => ({
        path,
        message: `There is no "${name}" in what these events carry, but ${[...known, ...more].join(', ')}.`,
      }));
  return [
    ...check(['template'], placeholders(template), ['times']),
    ...check(['columns'], columns, ['times']),
    ...check(['dedupe', 'key'], placeholders(dedupe?.key ?? '')),
  ];
}

function placeholders(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function firstLine(message: string): string {
  return (
    message
      .replace(/^Invalid TOML document:\s*/, '')
      .split('\n', 1)[0]
      ?.trim() ?? message
  );
}
