import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';

/** What to send where the schema asks for something. */
export interface Wish {
  /** Optional parts too, or only what is required. */
  readonly everything: boolean;
  /** Part of every text, so that its owner can be told wherever it turns up. */
  readonly mark: string;
  /** For an id that has to be given, by the name it is asked for under. */
  readonly idFor: (name: string) => string;
  /** Where, within an argument, a certain id goes. */
  readonly target?: { readonly path: readonly string[]; readonly id: string } | undefined;
}

/** A value that the type accepts and that a person might send; undefined for an id that may be left out. */
export function valueFor(type: GraphQLInputType, name: string, required: boolean, wish: Wish, depth = 0): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const item = valueFor(inner.ofType, name, required, wish, depth);
    return item === undefined ? undefined : [item];
  }
  if (isEnumType(inner)) return inner.getValues()[0]?.name;
  if (isInputObjectType(inner)) {
    const [next, ...rest] = wish.target?.path ?? [];
    const entries = Object.values(inner.getFields()).flatMap((field) => {
      const aimedAt = wish.target !== undefined && field.name === next;
      const needed = isRequiredInputField(field);
      if (!aimedAt && !needed && (!wish.everything || depth > 3)) return [];
      const target = aimedAt && wish.target ? { ...wish.target, path: rest } : undefined;
      const value = valueFor(field.type, field.name, needed, { ...wish, target }, depth + 1);
      return value === undefined ? [] : [[field.name, value] as const];
    });
    return Object.fromEntries(entries);
  }
  if (inner.name !== 'ID') return scalarFor(inner.name, name, wish);
  if (wish.target?.path.length === 0) return wish.target.id;
  return required ? wish.idFor(name) : undefined;
}

function scalarFor(type: string, name: string, { mark }: Wish): unknown {
  switch (type) {
    case 'Int':
      return numberFor(name);
    case 'Float':
      return 1.5;
    case 'Boolean':
      return true;
    case 'DateTime':
      return '2026-11-16T09:30:00.000Z';
    case 'String':
      return textFor(name, mark);
    default:
      return mark;
  }
}

/** By the words in the name; whatever is out of bounds is refused, and then other calls make the data. */
function numberFor(name: string): number | undefined {
  if (/version$/i.test(name)) return undefined; // would only be a conflict
  if (/percent/i.test(name)) return 60;
  if (/budget|tokens/i.test(name)) return 5_000;
  if (/expires/i.test(name)) return 86_400; // longer than any walk takes
  if (/seconds|timeout/i.test(name)) return 300;
  if (/^(after|seq|offset)/i.test(name)) return 0;
  return 5;
}

function textFor(name: string, mark: string): string | undefined {
  if (/cursor|^after$|^before$/i.test(name)) return undefined;
  if (/hash$/i.test(name)) return undefined; // would only be a conflict
  if (/email/i.test(name)) return `${mark}-${randomUUID()}@example.com`;
  if (/model/i.test(name)) return 'offline';
  if (/tree/i.test(name)) return 'default';
  if (/path|file/i.test(name)) return `notes/${mark}.md`;
  if (/key/i.test(name)) return `${mark}-${randomUUID()}`;
  return `Words of ${mark}`;
}
