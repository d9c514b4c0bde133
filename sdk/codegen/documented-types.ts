/** Carries the schema's descriptions into generated types, so that an editor shows them where they are needed. */
import { type DocumentNode, type GraphQLSchema, isInterfaceType, isObjectType, Kind } from 'graphql';

export function documentTypes(text: string, schema: GraphQLSchema, operations: DocumentNode): string {
  return documentExports(documentFields(text, schema), schema, operations);
}

/** A fragment is described by the type it is of, an operation by the field it asks for. */
function documentExports(text: string, schema: GraphQLSchema, operations: DocumentNode): string {
  const descriptions = new Map<string, string>();
  for (const definition of operations.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      const description = schema.getType(definition.typeCondition.name.value)?.description;
      descriptions.set(`${definition.name.value}Fragment`, description ?? 'A part of the schema.');
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      const { operation, name, selectionSet } = definition;
      const [first] = selectionSet.selections;
      const field = first?.kind === Kind.FIELD ? first.name.value : '';
      const described = schema.getRootType(operation)?.getFields()[field]?.description ?? field;
      const type = `${name?.value}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
      descriptions.set(type, described);
      descriptions.set(`${type}Variables`, `What ${name?.value} is asked with.`);
    }
  }
  return text.replace(/^export type (\w+)/gm, (line, name: string) => {
    const description = descriptions.get(name);
    return description === undefined ? line : `${comment(description)}\n${line}`;
  });
}

/** Objects in the text name their type by `__typename`: that tells whose fields are being listed. */
function documentFields(text: string, schema: GraphQLSchema): string {
  const owners: string[] = [];
  return text.replace(/[{}]|readonly __typename: '(\w+)'|readonly (\w+):/g, (token, type?: string, field?: string) => {
    if (token === '{') owners.push('');
    if (token === '}') owners.pop();
    if (type !== undefined) owners[owners.length - 1] = type;
    if (field === undefined) return token;
    const owner = schema.getType(owners.at(-1) ?? '');
    const known = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field] : undefined;
    return known?.description ? `\n  ${comment(known.description)}\n  ${token}` : token;
  });
}

function comment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim()} */`;
}
