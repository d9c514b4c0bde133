import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export interface Selected {
  /** No more of them than this: what is compiled lives longer than the connection that it was first asked over. */
  readonly args: Pick<ExecutionArgs, 'schema' | 'document' | 'contextValue'>;
  readonly operation: OperationDefinitionNode;
  /** As the operation declares them, with defaults. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Called when what is selected, or what is made of it, depends on more than the document. */
  onDependence(): void;
}

/** For each key of the answer, in the order of the query, the places that select it. */
export type CollectedFields = Map<string, FieldNode[]>;

/** The fields that apply to a type. Undefined when there is a directive that only the executor knows. */
export function collectFields(
  selected: Selected,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): CollectedFields | undefined {
  const fields: CollectedFields = new Map();
  return selections.every((selection) => collect(selected, type, selection, fields)) ? fields : undefined;
}

function collect(
  selected: Selected,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  fields: CollectedFields,
): boolean {
  for (const selection of selections) {
    if (!onlyKnownDirectives(selection)) return false;
    if (!isIncluded(selected, selection)) continue;
    if (selection.kind === 'Field') {
      const key = selection.alias?.value ?? selection.name.value;
      const places = fields.get(key);
      if (places) places.push(selection);
      else fields.set(key, [selection]);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : fragmentOf(selected, selection.name.value);
    if (!fragment) return false;
    const condition = fragment.typeCondition?.name.value;
    const applies = condition === undefined || isOf(selected, type, condition);
    if (applies && !collect(selected, type, fragment.selectionSet, fields)) return false;
  }
  return true;
}

function onlyKnownDirectives({ directives }: SelectionNode): boolean {
  return directives?.every(({ name }) => name.value === 'include' || name.value === 'skip') ?? true;
}

function isIncluded({ variables, onDependence }: Selected, selection: SelectionNode): boolean {
  if (!selection.directives?.length) return true;
  if (selection.directives.some((it) => it.arguments?.some(({ value }) => value.kind === 'Variable'))) onDependence();
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] !== false;
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
