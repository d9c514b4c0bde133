import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Selected } from './collected-fields.ts';

/** Writes what is selected of a value as JSON text; undefined when the general executor has to do it. */
export type WriteText = (value: unknown) => string | undefined;

/**
 * Looks through what is selected of a type once, and returns a function that does what the executor and JSON would do
 * each time: calls the fields' own resolvers and writes out the results. Only for what is ready at once; fields with
 * arguments, unions within, promises and errors are left to the executor.
 */
export function compileSelection(
  selected: Selected,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): WriteText | undefined {
  const collected = collectFields(selected, type, selections);
  if (!collected || type.isTypeOf) return undefined;
  const writers: { readonly before: string; readonly write: WriteText }[] = [];
  for (const [key, nodes] of collected) {
    const write = fieldWriter(selected, type, key, nodes);
    if (!write) return undefined;
    writers.push({ before: `${writers.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, write });
  }
  if (writers.length === 0) return () => '{}';
  return (value) => {
    let text = '';
    for (const { before, write } of writers) {
      const written = write(value);
      if (written === undefined) return undefined;
      text += before + written;
    }
    return `${text}}`;
  };
}

function fieldWriter(
  selected: Selected,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): WriteText | undefined {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') {
    const text = JSON.stringify(type.name);
    return () => text;
  }
  const field = type.getFields()[name];
  if (!field || field.args.length > 0) return undefined;
  const write = valueWriter(selected, field.type, nodes);
  if (!write) return undefined;
  const read = field.resolve ? resolving(selected, type, key, nodes, field) : propertyReader(name);
  return (value) => {
    try {
      return write(read(value));
    } catch {
      return undefined;
    }
  };
}

/** What the executor does where a field has no resolver of its own. */
function propertyReader(name: string): (value: unknown) => unknown {
  return (value) => (value as Readonly<Record<string, unknown>>)[name];
}

function resolving(
  { args, operation }: Selected,
  parentType: GraphQLObjectType,
  key: string,
  fieldNodes: readonly FieldNode[],
  field: GraphQLField<unknown, unknown>,
): (value: unknown) => unknown {
  const { resolve } = field;
  const { contextValue } = args;
  const info: GraphQLResolveInfo = {
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    path: { prev: undefined, key, typename: parentType.name },
    schema: args.schema,
    fragments: {},
    rootValue: undefined,
    operation,
    variableValues: {},
  };
  return (value) => resolve?.(value, {}, contextValue, info);
}

function valueWriter(selected: Selected, type: GraphQLOutputType, nodes: readonly FieldNode[]): WriteText | undefined {
  const inner = isNonNullType(type) ? type.ofType : type;
  const missing = isNonNullType(type) ? undefined : 'null';
  const write = presentValueWriter(selected, inner, nodes);
  return write && ((value) => (value === null || value === undefined ? missing : write(value)));
}

function presentValueWriter(
  selected: Selected,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): WriteText | undefined {
  if (isLeafType(type)) return leafWriter(type);
  if (isListType(type)) {
    const write = valueWriter(selected, type.ofType, nodes);
    return write && ((value) => (Array.isArray(value) ? listText(value, write) : undefined));
  }
  if (!isObjectType(type)) return undefined;
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const write = compileSelection(selected, type, selections);
  return write && ((value) => (typeof value === 'object' && !isUnusual(value) ? write(value) : undefined));
}

function listText(values: readonly unknown[], write: WriteText): string | undefined {
  let text = '[';
  for (const value of values) {
    const written = write(value);
    if (written === undefined) return undefined;
    text += text === '[' ? written : `,${written}`;
  }
  return `${text}]`;
}

/** Text and whole numbers, which most fields are, need not go through the type's own checks. */
function leafWriter(type: GraphQLLeafType): WriteText {
  if (type.name === 'String' || type.name === 'ID') {
    return (value) => (typeof value === 'string' ? JSON.stringify(value) : serialized(type, value));
  }
  if (type.name === 'Int') {
    return (value) => (typeof value === 'number' && (value | 0) === value ? String(value) : serialized(type, value));
  }
  return (value) => serialized(type, value);
}

function serialized(type: GraphQLLeafType, value: unknown): string | undefined {
  if (typeof value === 'function' || isUnusual(value)) return undefined;
  return JSON.stringify(type.serialize(value) ?? undefined);
}

/** A promise, or an error that was returned instead of thrown. */
function isUnusual(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('then' in value || value instanceof Error);
}
