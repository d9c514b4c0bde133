import { boundedSizes } from './bounded-json.ts';
import type { FactSpec, FactSpecs } from './vocabulary.ts';

/** How big a value can be at most, as far as that can be told before it exists. */
export interface Shape {
  /** Characters, should it be a text. */
  readonly characters: number;
  /** Elements or entries, should it be a list or a map. */
  readonly items: number;
  /** One of them. */
  readonly element?: Shape;
  /** Present when it has these fields and no others. */
  readonly fields?: Readonly<Record<string, Shape>>;
  /** Everything in it together, where counting elements would count too much. */
  readonly weight?: number;
}

export const scalar: Shape = { characters: 0, items: 0 };

/** Foreign JSON: any of a text, a list, a map; its parts likewise. */
export const anything: Shape = {
  characters: boundedSizes.characters,
  items: boundedSizes.entries,
  weight: boundedSizes.values * 4,
  get element() {
    return anything;
  },
};

export function text(characters: number): Shape {
  return { characters, items: 0 };
}

export function list(items: number, element: Shape): Shape {
  return { characters: 0, items, element };
}

export function shapesOf(facts: FactSpecs): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(facts).map(([name, spec]) => [name, shapeOf(spec)]));
}

function shapeOf(spec: FactSpec): Shape {
  switch (spec.type) {
    case 'string':
      return text(spec.longest);
    case 'json':
      return anything;
    case 'list':
      return list(spec.most, shapeOf(spec.of));
    case 'object':
      return { ...scalar, fields: shapesOf(spec.fields) };
    default:
      return scalar;
  }
}

/** One of them, whichever it is. */
export function either(one: Shape, other: Shape): Shape {
  if (one.items === 0 && one.characters === 0 && !one.fields) return other;
  if (other.items === 0 && other.characters === 0 && !other.fields) return one;
  const element =
    one.element && other.element && one.element !== other.element
      ? either(one.element, other.element)
      : (one.element ?? other.element);
  const fields = one.fields ?? other.fields;
  return {
    characters: Math.max(one.characters, other.characters),
    items: Math.max(one.items, other.items),
    ...(element ? { element } : {}),
    ...(fields ? { fields } : {}),
    weight: Math.max(weightOf(one), weightOf(other)),
  };
}

/** Both in one, as + does. */
export function together(one: Shape, other: Shape): Shape {
  return {
    ...either(one, other),
    characters: one.characters + other.characters,
    items: one.items + other.items,
    weight: weightOf(one) + weightOf(other),
  };
}

/** What looking at all of it costs, in steps of evaluation. */
export function weightOf(shape: Shape): number {
  if (shape.weight !== undefined) return shape.weight;
  const inner = shape.element ? shape.items * weightOf(shape.element) : shape.items;
  return 1 + shape.characters / 64 + inner;
}
