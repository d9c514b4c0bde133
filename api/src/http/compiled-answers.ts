import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type GraphQLAbstractType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Selected } from './collected-fields.ts';
import { type Around, compileSelection, type WriteText } from './compiled-selection.ts';
import { sharedTexts } from './shared-texts.ts';

/** A subscription of the kind that can be compiled. */
interface Subscription {
  readonly operation: OperationDefinitionNode;
  readonly field: FieldNode;
  readonly selectionSet: SelectionSetNode;
  readonly type: GraphQLAbstractType;
}

/** By document, then by the operation's name: what is the same for whoever subscribes, or that it is not. */
const shared = new WeakMap<DocumentNode, Map<string, WriteText | 'not the same'>>();

/**
 * For a subscription to a union, as runs are: what is sent for an event, as JSON text. The answer is undefined when the
 * general executor has to say, and so is the whole when that would be so for every event. Readers of the same operation
 * share one such function, and with it the texts, unless a variable or a resolver could tell them apart.
 */
export function compileAnswers(args: ExecutionArgs): WriteText | undefined {
  const name = args.operationName ?? '';
  const known = shared.get(args.document)?.get(name);
  if (typeof known === 'function') return known;
  const subscription = findSubscription(args);
  if (!subscription) return undefined;
  const { operation } = subscription;
  const { schema, document, contextValue, variableValues } = args;
  const { coerced: variables } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (!variables) return undefined;
  const selected = { operation, variables, onDependence: () => undefined };
  // Without a context: a resolver that looks for one after all throws, and is left to the executor.
  const forAll = known ? undefined : compileForAll({ ...selected, args: { schema, document } }, subscription);
  if (!known) remember(document, name, forAll ?? 'not the same');
  return forAll ?? compile({ ...selected, args: { schema, document, contextValue } }, subscription);
}

function remember(document: DocumentNode, name: string, answers: WriteText | 'not the same'): void {
  const operations = shared.get(document) ?? new Map<string, WriteText | 'not the same'>();
  shared.set(document, operations.set(name, answers));
}

function compileForAll(selected: Selected, subscription: Subscription): WriteText | undefined {
  let depends = false;
  const onDependence = () => {
    depends = true;
  };
  const write = compile({ ...selected, onDependence }, subscription);
  return depends ? undefined : sharedTexts(write);
}

function findSubscription({ document, operationName, schema }: ExecutionArgs): Subscription | undefined {
  const operation = getOperationAST(document, operationName);
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  const root = schema.getSubscriptionType();
  if (!operation || !root || field?.kind !== 'Field' || others.length > 0) return undefined;
  const type = getNullableType(root.getFields()[field.name.value]?.type);
  if (!isAbstractType(type) || !type.resolveType || (field.directives?.length ?? 0) > 0) return undefined;
  const { selectionSet } = field;
  return selectionSet && { operation, field, selectionSet, type };
}

function compile(selected: Selected, subscription: Subscription): WriteText {
  const { field, type } = subscription;
  const { contextValue } = selected.args;
  const nameOf = type.resolveType as (event: unknown, context: unknown) => unknown;
  const before = `{"data":{${JSON.stringify(field.alias?.value ?? field.name.value)}:`;
  const writers = writersByType(selected, subscription, { before, after: '}}' });
  return (event) => {
    try {
      return writers.get(nameOf(event, contextValue))?.(event);
    } catch {
      return undefined;
    }
  };
}

/** By itself, so that the function which outlives this keeps neither variables nor arguments. */
function writersByType(
  selected: Selected,
  { selectionSet, type }: Subscription,
  around: Around,
): ReadonlyMap<unknown, WriteText | undefined> {
  const { schema } = selected.args;
  return new Map(
    schema
      .getPossibleTypes(type)
      .map((possible) => [possible.name, compileSelection(selected, possible, [selectionSet], around)]),
  );
}
