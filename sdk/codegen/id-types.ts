/**
 * Gives ids types of their own before types are generated. The API knows one scalar, ID; the SDK should not let the id
 * of one thing be handed over as another's. What an id names is told by where it stands.
 */
import {
  buildASTSchema,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLInputType,
  getNamedType,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  parse,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Where the name of a field is not the name of a type. */
const otherNames: Readonly<Record<string, string>> = {
  Person: 'User',
  IssuedToken: 'AccessToken',
  Token: 'AccessToken',
  Node: 'Exchange',
  Head: 'Exchange',
  Parent: 'Exchange',
};

export interface IdTypes {
  readonly schema: DocumentNode;
  readonly operations: DocumentNode;
  /** What ids are of: `Run` for the type RunId. */
  readonly nouns: readonly string[];
}

export function giveIdsTypes(schemaText: string, operations: DocumentNode): IdTypes {
  const plain = parse(schemaText, { noLocation: true });
  const nouns = findNouns(plain);
  const typed = typeSchema(plain, nouns);
  const scalars = parse(nouns.map((noun) => `scalar ${noun}Id`).join('\n'), { noLocation: true });
  const schema: DocumentNode = { ...typed, definitions: [...typed.definitions, ...scalars.definitions] };
  return { schema, operations: typeVariables(schema, operations), nouns };
}

/** The types whose instances have an id, each under the one name that its id goes by. */
function findNouns(schema: DocumentNode): readonly string[] {
  const names = schema.definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.fields?.some(({ name }) => name.value === 'id')
      ? [definition.name.value]
      : [],
  );
  return [...new Set(names.map((name) => otherNames[name] ?? name))].sort();
}

function typeSchema(schema: DocumentNode, nouns: readonly string[]): DocumentNode {
  const named = (name: string) => [otherNames[name] ?? name].find((noun) => nouns.includes(noun));
  const contained = (text: string) =>
    [...nouns, ...Object.keys(otherNames)]
      .filter((noun) => text.toLowerCase().includes(noun.toLowerCase()))
      .toSorted((one, other) => other.length - one.length)
      .map(named)[0];

  /** What `id` means inside an owner, and `somethingId` anywhere. */
  function nounOf(name: string, owner: string): string | undefined {
    if (name === 'id' || name === 'ids') return named(owner) ?? contained(owner);
    const stem = /^(\w+?)Ids?$/.exec(name)?.[1];
    return stem === undefined ? undefined : named(stem.charAt(0).toUpperCase() + stem.slice(1));
  }
  function retype<Node extends FieldDefinitionNode | InputValueDefinitionNode>(node: Node, owner: string): Node {
    const noun = nounOf(node.name.value, owner);
    return noun === undefined ? node : { ...node, type: replaceId(node.type, `${noun}Id`) };
  }
  function retypeField(field: FieldDefinitionNode, owner: string): FieldDefinitionNode {
    const answer = nameOf(field.type);
    const meant = named(answer) === undefined ? field.name.value : answer;
    return { ...retype(field, owner), arguments: (field.arguments ?? []).map((one) => retype(one, meant)) };
  }

  return visit(schema, {
    ObjectTypeDefinition: (node) => ({
      ...node,
      fields: (node.fields ?? []).map((field) => retypeField(field, node.name.value)),
    }),
    InterfaceTypeDefinition: (node) => ({
      ...node,
      fields: (node.fields ?? []).map((field) => retypeField(field, node.name.value)),
    }),
    InputObjectTypeDefinition: (node) => ({
      ...node,
      fields: (node.fields ?? []).map((field) => retype(field, node.name.value)),
    }),
  });
}

/** Operations say ID, as the API wants it; here a variable gets the type of the place where it is used. */
function typeVariables(schema: DocumentNode, operations: DocumentNode): DocumentNode {
  const typeInfo = new TypeInfo(buildASTSchema(schema, { assumeValidSDL: true }));
  let used = new Map<string, GraphQLInputType>();
  let defining = false;
  return visit(
    operations,
    visitWithTypeInfo(typeInfo, {
      OperationDefinition: {
        enter() {
          used = new Map();
        },
        leave: (node) => ({
          ...node,
          variableDefinitions: node.variableDefinitions?.map((definition) => {
            const type = used.get(definition.variable.name.value);
            return type ? { ...definition, type: replaceId(definition.type, getNamedType(type).name) } : definition;
          }),
        }),
      },
      VariableDefinition: {
        enter() {
          defining = true;
        },
        leave() {
          defining = false;
        },
      },
      Variable({ name }) {
        const type = typeInfo.getInputType();
        if (!defining && type) used.set(name.value, type);
      },
    }),
  );
}

function replaceId<Type extends TypeNode>(type: Type, name: string): Type {
  return visit(type, {
    NamedType: (node): NamedTypeNode =>
      node.name.value === 'ID' ? { ...node, name: { kind: Kind.NAME, value: name } } : node,
  });
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
