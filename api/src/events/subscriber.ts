import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import { type Explained, explainIssue, sentence } from '../declarations/explain-issue.ts';
import type { FileProblem } from '../declarations/file-problem.ts';
import { lineAndColumn, placeOf, tomlPlaces } from '../declarations/toml-places.ts';
import { didYouMean } from '../tools/did-you-mean.ts';
import { nearest } from '../vault/nearest.ts';
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
  const all = `Events are ${knownEventNames.join(', ')}, or rule.<anything>; prefix.* names all below.`;
  const guess = didYouMean(nearest(given, [...knownEventNames, ...prefixes], 1), all);
  context.addIssue({ code: 'custom', message: `is "${given}", which names no event. ${guess}` });
});

const prefixes = new Set(knownEventNames.map((name) => `${name.slice(0, name.lastIndexOf('.'))}.*`));

const seconds = z.number().min(0).max(86_400);

/** What one file declares. */
export const SubscriberSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,39}$/, 'must be 2 to 40 lower-case letters, digits and hyphens, beginning with a letter'),
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
  columns: z.array(z.string().regex(/^\w+$/, 'must be the name of a part of the payload')).max(8).default([]),
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
    return { problems: [{ file, line: error.line, message: sentence(error.message) }] };
  }
  const parsed = SubscriberSchema.safeParse(declared, { reportInput: true });
  const wrong = parsed.success
    ? unknownParts(parsed.data)
    : parsed.error.issues.flatMap((issue) => explainIssue(issue, SubscriberSchema));
  if (parsed.success && wrong.length === 0) return { subscriber: parsed.data };
  const problems = wrong.map(({ path, message }) => ({ file, line: lineOf(text, path), message }));
  return { problems: problems.toSorted((one, other) => one.line - other.line) };
}

export function lineOf(text: string, path: readonly PropertyKey[]): number {
  return lineAndColumn(text, placeOf(tomlPlaces(text), path).key).line;
}

/** What is named, although none of the events carries it. What rules emit may carry anything. */
function unknownParts({ events, template, columns, dedupe }: Subscriber): readonly Explained[] {
  if (events.some((name) => name === '*' || (name.startsWith('rule.') && partsOf(name as EventName) === undefined)))
    return [];
  const heard = knownEventNames.filter((name) => events.some((given) => matchesPattern(given, name)));
  const known = new Set(heard.flatMap((name) => partsOf(name) ?? []));
  const check = (path: readonly string[], names: readonly string[], more: readonly string[] = []) => {
    const there = [...known, ...more];
    const guess = (name: string) => didYouMean(nearest(name, there, 1), `There is ${there.join(', ')}.`);
    return names
      .filter((name) => !there.includes(name))
      .map((name) => ({ path, message: `No "${name}" is in what these events carry. ${guess(name)}` }));
  };
  return [
    ...check(['template'], placeholders(template), ['times']),
    ...check(['columns'], columns, ['times']),
    ...check(['dedupe', 'key'], placeholders(dedupe?.key ?? '')),
  ];
}

function placeholders(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}
