import {
  type ExecutionArgs,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { Selected } from './collected-fields.ts';
import { compileSelection, type WriteText } from './compiled-selection.ts';

/**
 * For a subscription to a union, as runs are: what is sent for an event, as JSON text. The answer is undefined when the
 * general executor has to say, and so is the whole when that would be so for every event.
 */
export function compileAnswers(args: ExecutionArgs): WriteText | undefined {
  const operation = getOperationAST(args.document, args.operationName);
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  const root = args.schema.getSubscriptionType();
  if (!operation || !root || field?.kind !== 'Field' || others.length > 0) return undefined;
  const type = getNullableType(root.getFields()[field.name.value]?.type);
  if (!isAbstractType(type) || !type.resolveType || (field.directives?.length ?? 0) > 0) return undefined;
  const { selectionSet } = field;
  const { coerced } = getVariableValues(args.schema, operation.variableDefinitions ?? [], args.variableValues ?? {});
  if (!selectionSet || !coerced) return undefined;

  const selected: Selected = { args, operation, variables: coerced };
  const nameOf = type.resolveType as (event: unknown, context: unknown) => unknown;
  const before = `{"data":{${JSON.stringify(field.alias?.value ?? field.name.value)}:`;
  const writers = new Map<unknown, WriteText | undefined>();
  const compiled = (name: unknown) => {
    const known = typeof name === 'string' ? args.schema.getType(name) : undefined;
    const writer = isObjectType(known) ? compileSelection(selected, known, [selectionSet]) : undefined;
    writers.set(name, writer);
    return writer;
  };
  return (event) => {
    const name = nameOf(event, args.contextValue);
    const written = (writers.has(name) ? writers.get(name) : compiled(name))?.(event);
    return written && `${before}${written}}}`;
  };
}
