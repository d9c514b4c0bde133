import { builder } from './builder.ts';

/** An enum of plain words, each with its description. */
export function defineEnum<Value extends string>(name: string, description: string, values: Record<Value, string>) {
  const described = Object.entries<string>(values).map(([value, description]) => [value, { description }] as const);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(described) as Record<Value, { description: string }>,
  });
}
