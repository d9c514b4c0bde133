import { readFileSync } from 'node:fs';
import { buildSchema, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as documents from '../src/generated/documents.ts';

/** Root fields that the SDK has no operation for, each with the reason. */
const exceptions: readonly string[] = [];

describe('the documents of the SDK', () => {
  it('cover every query, mutation and subscription of the schema', () => {
    const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const offered = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    const asked = new Set(
      Object.values(documents).flatMap((document) =>
        parse(document).definitions.flatMap((definition) =>
          definition.kind === Kind.OPERATION_DEFINITION
            ? definition.selectionSet.selections.map((field) => (field.kind === Kind.FIELD ? field.name.value : ''))
            : [],
        ),
      ),
    );

    expect(offered.length).toBeGreaterThan(30);
    expect(offered.filter((field) => !asked.has(field) && !exceptions.includes(field))).toEqual([]);
    expect(exceptions.filter((field) => asked.has(field) || !offered.includes(field))).toEqual([]);
  });
});
