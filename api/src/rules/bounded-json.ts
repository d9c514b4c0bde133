import type { Json } from '../agent/json.ts';

/** How much of foreign JSON a condition is shown, so that looking through it costs little whatever it holds. */
export const boundedSizes = { entries: 32, characters: 1_000, depth: 4, values: 200 } as const;

export type Dressed =
  | string
  | bigint
  | number
  | boolean
  | null
  | readonly Dressed[]
  | { readonly [key: string]: Dressed };

/** JSON as CEL sees it: whole numbers are integers, what is too much is left out. */
export function boundedJson(value: Readonly<Record<string, Json>>): Readonly<Record<string, Dressed>> {
  const allowance = { left: boundedSizes.values };
  return entriesOf(value, boundedSizes.depth, allowance);
}

function dress(value: Json, depth: number, allowance: { left: number }): Dressed {
  allowance.left -= 1;
  if (typeof value === 'string') return value.slice(0, boundedSizes.characters);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return null;
  if (!Array.isArray(value)) return entriesOf(value as Readonly<Record<string, Json>>, depth - 1, allowance);
  const items: Dressed[] = [];
  for (const item of value.slice(0, boundedSizes.entries)) {
    if (allowance.left <= 0) break;
    items.push(dress(item, depth - 1, allowance));
  }
  return items;
}

function entriesOf(
  value: Readonly<Record<string, Json>>,
  depth: number,
  allowance: { left: number },
): Readonly<Record<string, Dressed>> {
  const entries: [string, Dressed][] = [];
  for (const key in value) {
    if (entries.length >= boundedSizes.entries || allowance.left <= 0) break;
    const entry = Object.hasOwn(value, key) ? value[key] : undefined;
    if (entry !== undefined) entries.push([key.slice(0, boundedSizes.characters), dress(entry, depth, allowance)]);
  }
  return Object.fromEntries(entries);
}
