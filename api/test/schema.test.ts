import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../src/graphql/schema.ts';

const contractFile = fileURLToPath(new URL('../../../shared/design/contract.graphql', import.meta.url));

const ownTypes = (of: GraphQLSchema) =>
  Object.values(of.getTypeMap()).filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));

describe('every part of the schema', () => {
  it('has a description: types, fields, arguments, input fields and enum values', () => {
    const parts = ownTypes(schema).flatMap((type) => [[type.name, type.description] as const, ...partsOf(type)]);

    expect(parts.length).toBeGreaterThan(150);
    expect(parts.filter(([, description]) => !description?.trim()).map(([name]) => name)).toEqual([]);
  });
});

function partsOf(type: GraphQLNamedType): (readonly [string, string | null | undefined])[] {
  if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value.description]);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field.description]);
  }
  return fieldsOf(type).flatMap((field) => [
    [`${type.name}.${field.name}`, field.description],
    ...field.args.map((arg) => [`${type.name}.${field.name}(${arg.name}:)`, arg.description] as const),
  ]);
}

const fieldsOf = (type: GraphQLNamedType) =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];

/** What is named in both must fit: a client written against the contract works against the schema. */
describe.skipIf(!existsSync(contractFile))('the contract, for the part of it that exists', () => {
  const contract = existsSync(contractFile) ? buildSchema(readFileSync(contractFile, 'utf8')) : schema;

  it('is kept by every type', () => {
    const common = ownTypes(contract).filter((type) => schema.getType(type.name));

    expect(common.length).toBeGreaterThan(20);
    expect(common.flatMap((type) => breachesOf(type, schema.getType(type.name)))).toEqual([]);
  });
});

function breachesOf(promised: GraphQLNamedType, actual: GraphQLNamedType | undefined): string[] {
  if (actual?.constructor.name !== promised.constructor.name) return [`${promised.name} is another kind of type`];
  if (isEnumType(promised) && isEnumType(actual)) {
    const values = promised.getValues().filter(({ name }) => !actual.getValue(name));
    return values.map(({ name }) => `${promised.name} has no ${name}`);
  }
  if (isUnionType(promised) && isUnionType(actual)) {
    const members = new Set(actual.getTypes().map(({ name }) => name));
    return promised.getTypes().flatMap(({ name }) => (members.has(name) ? [] : `${promised.name} has no ${name}`));
  }
  if (isInputObjectType(promised) && isInputObjectType(actual)) {
    return inputBreaches(promised.name, Object.values(promised.getFields()), Object.values(actual.getFields()));
  }
  const fields = new Map(fieldsOf(actual).map((field) => [field.name, field]));
  return fieldsOf(promised).flatMap((field) => fieldBreaches(promised.name, field, fields.get(field.name)));
}

type Field = GraphQLField<unknown, unknown>;
function fieldBreaches(type: string, promised: Field, actual: Field | undefined): string[] {
  if (!actual) return rootTypes.has(type) ? [] : [`${type} has no ${promised.name}`];
  const path = `${type}.${promised.name}`;
  const fits = isAtLeast(actual.type, promised.type);
  return [...(fits ? [] : [`${path} is ${actual.type}`]), ...inputBreaches(path, promised.args, actual.args)];
}

/** Their fields come one by one, as the product grows; those of all other types come together. */
const rootTypes = new Set(['Query', 'Mutation', 'Subscription']);

type Input = GraphQLArgument | GraphQLInputField;
function inputBreaches(path: string, promised: readonly Input[], actual: readonly Input[]): string[] {
  const required = (input: Input) => isRequiredArgument(input) || isRequiredInputField(input);
  const names = new Set(promised.map(({ name }) => name));
  const added = actual.filter((input) => !names.has(input.name) && required(input));
  return [
    ...added.map(({ name }) => `${path} wants ${name}, of which the contract does not know`),
    ...promised.flatMap((input) => {
      const found = actual.find(({ name }) => name === input.name);
      if (!found) return [`${path} takes no ${input.name}`];
      return isAtLeast(input.type, found.type) ? [] : [`${path}(${input.name}:) is ${found.type}`];
    }),
  ];
}

/** Whether every value of the first type is one of the second: the same names, and null only where that allows it. */
function isAtLeast(narrow: GraphQLType, wide: GraphQLType): boolean {
  if (isNonNullType(wide)) return isNonNullType(narrow) && isAtLeast(narrow.ofType, wide.ofType);
  if (isNonNullType(narrow)) return isAtLeast(narrow.ofType, wide);
  if (isListType(narrow) || isListType(wide)) {
    return isListType(narrow) && isListType(wide) && isAtLeast(narrow.ofType, wide.ofType);
  }
  return String(narrow) === String(wide);
}
