import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { valueFor, type Wish } from './values.ts';

type Field = GraphQLField<unknown, unknown>;
export type Kind = 'query' | 'mutation' | 'subscription';

interface Step {
  readonly field: Field;
  /** The member of a union or interface that has the field. */
  readonly on?: string | undefined;
}

/** A field that can be asked for: the steps that lead to it from the root, itself last. */
export interface Route {
  readonly kind: Kind;
  readonly steps: readonly Step[];
}

/** A place in an argument where an id goes. */
export interface Slot extends Route {
  readonly arg: string;
  readonly path: readonly string[];
}

export interface Operation {
  readonly kind: Kind;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export const nameOf = ({ kind, steps }: Route) => `${kind} ${steps.map(({ field }) => field.name).join('.')}`;
export const nameOfSlot = (slot: Slot) => `${nameOf(slot)}(${[slot.arg, ...slot.path].join('.')}:)`;

export function rootRoutes(schema: GraphQLSchema): readonly Route[] {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  return Object.entries(roots).flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind: kind as Kind, steps: [{ field }] })),
  );
}

/** Every root field and every place behind a query where a field takes arguments, by its shortest route. */
export function allRoutes(schema: GraphQLSchema): readonly Route[] {
  const roots = rootRoutes(schema);
  const found: Route[] = [];
  const seen = new Set<string>();
  const waiting = roots.filter((route) => route.kind === 'query' && !leafOf(route).args.some(needsId));
  for (let route = waiting.shift(); route; route = waiting.shift()) {
    const type = getNamedType(leafOf(route).type);
    const on = isAbstractType(type);
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
    for (const object of types.filter(({ name }) => !seen.has(name))) {
      seen.add(object.name);
      for (const field of Object.values(object.getFields())) {
        const next = { kind: route.kind, steps: [...route.steps, { field, on: on ? object.name : undefined }] };
        if (field.args.length > 0) found.push(next);
        if (!field.args.some(needsId)) waiting.push(next);
      }
    }
  }
  return [...roots, ...found];
}

export function leafOf({ steps }: Route): Field {
  const step = steps.at(-1);
  if (!step) throw new Error('A route has at least one step.');
  return step.field;
}

export function slotsOf(route: Route): readonly Slot[] {
  return leafOf(route).args.flatMap((arg) => idPaths(arg.type).map((path) => ({ ...route, arg: arg.name, path })));
}

export function needsId(arg: Field['args'][number]): boolean {
  return isRequiredArgument(arg) && idPaths(arg.type).length > 0 && String(getNamedType(arg.type)) === 'ID';
}

function idPaths(type: GraphQLInputType, within: readonly string[] = []): readonly (readonly string[])[] {
  const inner = getNamedType(type);
  if (inner.name === 'ID') return [[]];
  if (!isInputObjectType(inner) || within.includes(inner.name)) return [];
  return Object.values(inner.getFields()).flatMap((field) =>
    idPaths(field.type, [...within, inner.name]).map((path) => [field.name, ...path]),
  );
}

/** Asks for all that a field has to tell, to a depth, with the id in the slot when one is given. */
export function operationFor(
  schema: GraphQLSchema,
  route: Route,
  wish: Wish,
  options: {
    readonly depth: number;
    readonly slot?: { readonly arg: string; readonly path: readonly string[]; readonly id: string } | undefined;
  },
): Operation {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];

  function call(field: Field, aimed: boolean, everything: boolean): string {
    const given = field.args.flatMap((arg) => {
      const here = aimed && options.slot?.arg === arg.name;
      const needed = isRequiredArgument(arg);
      if (!here && !needed && !everything) return [];
      const target = here && options.slot ? { path: options.slot.path, id: options.slot.id } : undefined;
      const value = valueFor(arg.type, arg.name, needed, { ...wish, everything, target });
      if (value === undefined) return [];
      const variable = `v${declared.length}`;
      declared.push(`$${variable}: ${arg.type}`);
      variables[variable] = value;
      return [`${arg.name}: $${variable}`];
    });
    return given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name;
  }

  /** Each type at most once on the way down; members of a union keep apart what has one name and two types. */
  function selection(type: GraphQLOutputType, above: readonly string[]): string | undefined {
    const inner = getNamedType(type);
    if (!isCompositeType(inner)) return '';
    if (above.includes(inner.name) || above.length >= options.depth) return undefined;
    const members = isAbstractType(inner) ? schema.getPossibleTypes(inner) : [inner];
    const taken = new Map<string, string>();
    const parts = members.flatMap((member) => {
      if (!isObjectType(member)) return [];
      const fields = Object.values(member.getFields()).flatMap((field) => {
        if (field.args.some(needsId)) return [];
        const below = selection(field.type, [...above, inner.name]);
        if (below === undefined) return [];
        const clash = taken.get(field.name) ?? String(field.type);
        taken.set(field.name, clash);
        const alias = clash === String(field.type) ? '' : `${member.name}__${field.name}: `;
        return [`${alias}${call(field, false, false)}${below}`];
      });
      return [isAbstractType(inner) ? `... on ${member.name} { ${fields.join(' ')} }` : fields.join(' ')];
    });
    return ` { __typename ${parts.join(' ')} }`;
  }

  const last = route.steps.length - 1;
  const text = route.steps.reduceRight((below, { field, on }, index) => {
    const asked = call(field, index === last, index === last && wish.everything);
    const whole = `${asked}${index === last ? (selection(field.type, []) ?? '') : ` { ${below} }`}`;
    return on ? `... on ${on} { ${whole} }` : whole;
  }, '');
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return { kind: route.kind, query: `${route.kind} ${head} { ${text} }`, variables };
}
