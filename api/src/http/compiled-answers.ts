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
import { compileSelection, type WriteText } from './compiled-selection.ts';
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
  const { coerced } = getVariableValues(args.schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  if (!coerced) return undefined;
  const forAll = known ? undefined : compileForAll({ args, operation, variables: coerced }, subscription);
  if (!known) remember(args.document, name, forAll ?? 'not the same');
  return forAll ?? compile({ args, operation, variables: coerced, onDependence: () => undefined }, subscription);
}

function remember(document: DocumentNode, name: string, answers: WriteText | 'not the same'): void {
  const operations = shared.get(document) ?? new Map<string, WriteText | 'not the same'>();
  shared.set(document, operations.set(name, answers));
}

function compileForAll(selected: Omit<Selected, 'onDependence'>, subscription: Subscription): WriteText | undefined {
  let depends = false;
  const onDependence = () => {
    depends = true;
  };
  // Without a context: a resolver that looks for one after all throws, and is left to the executor.
  const args = { ...selected.args, contextValue: undefined };
  const write = compile({ ...selected, args, onDependence }, subscription);
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

function compile(selected: Selected, { field, selectionSet, type }: Subscription): WriteText {
  const { schema, contextValue } = selected.args;
  const nameOf = type.resolveType as (event: unknown, context: unknown) => unknown;
  const before = `{"data":{${JSON.stringify(field.alias?.value ?? field.name.value)}:`;
  const writers = new Map<unknown, WriteText | undefined>(
    schema
      .getPossibleTypes(type)
      .map((possible) => [possible.name, compileSelection(selected, possible, [selectionSet])]),
  );
  return (event) => {
    try {
      const written = writers.get(nameOf(event, contextValue))?.(event);
      return written && `${before}${written}}}`;
    } catch {
      return undefined;
    }
  };
}
