import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A moment in ISO 8601 form, in UTC, such as 2026-11-16T09:30:00.000Z.',
  serialize: (value) => {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'string') return value; // from a log, which holds moments in this very form
    throw new GraphQLError('DateTime can only be made from a date.');
  },
  parseValue: parseMoment,
  parseLiteral: (node) => parseMoment(node.kind === Kind.STRING ? node.value : undefined),
});

export const Json = new GraphQLScalarType<JsonValue, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value as JsonValue,
  parseLiteral: (node, variables) => fromLiteral(node, variables),
});

/** Years of four digits: what lies beyond is written in another way, which the database does not read. */
function parseMoment(value: unknown): Date {
  const moment = typeof value === 'string' ? new Date(value) : undefined;
  const year = moment?.getUTCFullYear() ?? Number.NaN;
  if (moment && year >= 1 && year <= 9999) return moment;
  const message = 'DateTime must be a text in ISO 8601 form, of the years 1 to 9999.';
  throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

function fromLiteral(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): JsonValue {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => fromLiteral(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, fromLiteral(field.value, variables)]));
    case Kind.VARIABLE:
      return (variables?.[node.name.value] ?? null) as JsonValue;
  }
}
