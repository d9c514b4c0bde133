import {
  defaultFieldResolver,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isAbstractType,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** What a selection makes of a value; undefined when the general executor has to do it. */
export type WriteValue = (value: unknown) => Readonly<Record<string, unknown>> | undefined;

export interface Selected {
  readonly args: ExecutionArgs;
  readonly operation: OperationDefinitionNode;
  /** The root field, whose value is written. */
  readonly field: FieldNode;
  readonly root: GraphQLObjectType;
}

/**
 * Looks through what is selected of a type once, and returns a function that does what the executor would do each time:
 * calls the fields' own resolvers and writes the results out. Only for fields without arguments, directives or fields
 * of their own; for others it returns undefined.
 */
export function compileSelection(selected: Selected, type: GraphQLObjectType): WriteValue | undefined {
  const nodes = new Map<string, FieldNode>();
  if (!selected.field.selectionSet || !collect(selected, type, selected.field.selectionSet, nodes)) return undefined;
  const writers: FieldWriter[] = [];
  for (const [key, node] of nodes) {
    const writer = fieldWriter(selected, type, key, node);
    if (!writer) return undefined;
    writers.push(writer);
  }
  return (value) => {
    const written: Record<string, unknown> = {};
    for (const { key, write } of writers) {
      const result = write(value);
      if (result === undefined) return undefined;
      written[key] = result;
    }
    return written;
  };
}

interface FieldWriter {
  readonly key: string;
  /** Undefined for anything that the executor should see: an error, a promise, nothing where something must be. */
  readonly write: (value: unknown) => unknown;
}

function fieldWriter(
  selected: Selected,
  type: GraphQLObjectType,
  key: string,
  node: FieldNode,
): FieldWriter | undefined {
  const name = node.name.value;
  if (name === '__typename') return { key, write: () => type.name };
  const field = type.getFields()[name];
  if (!field || field.args.length > 0 || node.selectionSet) return undefined;
  const mayBeNull = !isNonNullType(field.type);
  const leaf = isNonNullType(field.type) ? field.type.ofType : field.type;
  if (!isLeafType(leaf)) return undefined;
  const resolve = field.resolve ?? defaultFieldResolver;
  const { contextValue } = selected.args;
  const info = infoOf(selected, type, key, node, field.type);
  return {
    key,
    write(value) {
      try {
        const result = resolve(value, {}, contextValue, info);
        if (result === null || result === undefined) return mayBeNull ? null : undefined;
        return isThenable(result) ? undefined : serialized(leaf, result);
      } catch {
        return undefined;
      }
    },
  };
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function serialized(leaf: GraphQLLeafType, value: unknown): unknown {
  return leaf.serialize(value) ?? undefined;
}

/** The fields that apply to a type, in the order of the query. False when there is a directive anywhere. */
function collect(
  selected: Selected,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  nodes: Map<string, FieldNode>,
): boolean {
  for (const selection of selections) {
    if ((selection.directives?.length ?? 0) > 0) return false;
    if (selection.kind === 'Field') {
      const key = selection.alias?.value ?? selection.name.value;
      if (!nodes.has(key)) nodes.set(key, selection);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : fragmentOf(selected, selection.name.value);
    if (!fragment) return false;
    const condition = fragment.typeCondition?.name.value;
    const applies = condition === undefined || isOf(selected, type, condition);
    if (applies && !collect(selected, type, fragment.selectionSet, nodes)) return false;
  }
  return true;
}

function isOf({ args: { schema } }: Selected, type: GraphQLObjectType, condition: string): boolean {
  const wanted = schema.getType(condition);
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
}

function fragmentOf({ args: { document } }: Selected, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === 'FragmentDefinition' && definition.name.value === name,
  );
}

function infoOf(
  { args, operation, field, root }: Selected,
  parentType: GraphQLObjectType,
  key: string,
  node: FieldNode,
  returnType: GraphQLResolveInfo['returnType'],
): GraphQLResolveInfo {
  const rootKey = field.alias?.value ?? field.name.value;
  return {
    fieldName: node.name.value,
    fieldNodes: [node],
    returnType,
    parentType,
    path: { prev: { prev: undefined, key: rootKey, typename: root.name }, key, typename: parentType.name },
    schema: args.schema,
    fragments: {},
    rootValue: undefined,
    operation,
    variableValues: {},
  };
}
