import {
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { isPlain } from '../agent/json.ts';
import { collectFields, type Selected } from './collected-fields.ts';

const longestRemembered = 100;

/** Writes what is selected of a value as JSON text; undefined when the general executor has to do it. */
export type WriteText = (value: unknown) => string | undefined;

/** What stands before and after the text that is written, whatever the value. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

const nothing: Around = { before: '', after: '' };

/**
 * Looks through what is selected of a type once, and returns a function that does what the executor and JSON would do
 * each time: calls the fields' own resolvers and writes out the results. Only for what is ready at once; fields with
 * arguments, unions within, promises and errors are left to the executor. Throws where a resolver throws.
 */
export function compileSelection(
  selected: Selected,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
  around = nothing,
): WriteText | undefined {
  const collected = collectFields(selected, type, selections);
  if (!collected || type.isTypeOf) return undefined;
  const fields: WriteText[] = [];
  const opening = `${around.before}{`;
  let before = opening;
  for (const [key, nodes] of collected) {
    before += `${before === opening && fields.length === 0 ? '' : ','}${JSON.stringify(key)}:`;
    if (nodes[0]?.name.value === '__typename') {
      before += JSON.stringify(type.name);
      continue;
    }
    const write = fieldWriter(selected, type, key, nodes, before);
    if (!write) return undefined;
    fields.push(write);
    before = '';
  }
  const after = `${before}}${around.after}`;
  return (value) => {
    let text = '';
    for (const write of fields) {
      const written = write(value);
      if (written === undefined) return undefined;
      text += written;
    }
    return text + after;
  };
}

function fieldWriter(
  selected: Selected,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
  before: string,
): WriteText | undefined {
  const name = nodes[0]?.name.value ?? '';
  const field = type.getFields()[name];
  if (!field || field.args.length > 0) return undefined;
  const writeValue = valueWriter(selected, field.type, nodes);
  if (!writeValue) return undefined;
  const write = writerWith(before, getNullableType(field.type), writeValue);
  // What the executor does where a field has no resolver of its own.
  if (!field.resolve) return (value) => write((value as Readonly<Record<string, unknown>>)[name]);
  return resolving(selected, type, key, nodes, { ...field, resolve: field.resolve }, write);
}

/** Puts what stands before a value there with as few texts in between as it can: each is written for every event. */
function writerWith(before: string, type: GraphQLOutputType, write: WriteText): WriteText {
  const whole: WriteText = (value) => {
    const written = write(value);
    return written === undefined ? undefined : before + written;
  };
  if (!isLeafType(type) || type.name === 'Int') return whole;
  if (type.name !== 'String') return remembering(whole);
  const beforeText = `${before}"`;
  return (value) => (typeof value === 'string' && isPlain(value) ? `${beforeText}${value}"` : whole(value));
}

const noArguments = Object.freeze({});

function resolving(
  { args, operation, onDependence }: Selected,
  parentType: GraphQLObjectType,
  key: string,
  fieldNodes: readonly FieldNode[],
  field: GraphQLField<unknown, unknown> & { readonly resolve: GraphQLFieldResolver<unknown, unknown> },
  write: WriteText,
): WriteText {
  const { resolve } = field;
  const { contextValue } = args;
  // Whoever takes only the value cannot tell one reader from another.
  if (resolve.length !== 1) onDependence();
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
  return (value) => write(resolve(value, noArguments, contextValue, info));
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
    return write && ((value) => (Array.isArray(value) ? listText(value, write) : leave(value)));
  }
  if (!isObjectType(type)) return undefined;
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const write = compileSelection(selected, type, selections);
  return write && ((value) => (typeof value === 'object' && !isUnusual(value) ? write(value) : leave(value)));
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
  if (type.name === 'String') {
    return (value) => (typeof value === 'string' ? JSON.stringify(value) : serialized(type, value));
  }
  if (type.name === 'Int') {
    return (value) => (typeof value === 'number' && (value | 0) === value ? String(value) : serialized(type, value));
  }
  if (type.name === 'ID') {
    return (value) => (typeof value === 'string' ? JSON.stringify(value) : serialized(type, value));
  }
  return (value) => serialized(type, value);
}

/** Ids, moments and names of a stream are often those of the event before. */
function remembering(write: WriteText): WriteText {
  let last: string | undefined;
  let lastText: string | undefined;
  return (value) => {
    if (typeof value !== 'string' || value.length > longestRemembered) return write(value);
    if (value !== last) {
      lastText = write(value);
      last = value;
    }
    return lastText;
  };
}

function serialized(type: GraphQLLeafType, value: unknown): string | undefined {
  if (typeof value === 'function' || isUnusual(value)) return leave(value);
  return JSON.stringify(type.serialize(value) ?? undefined);
}

/** A promise, or an error that was returned instead of thrown. */
function isUnusual(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('then' in value || value instanceof Error);
}

/** The executor asks for it anew; that this promise may fail is nothing to anybody. */
function leave(value: unknown): undefined {
  if (value instanceof Promise) value.catch(() => undefined);
  return undefined;
}
