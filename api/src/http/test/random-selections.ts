import fc from 'fast-check';
import {
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { schema } from '../../graphql/schema.ts';

/** A document with subscriptions to a run, and the variables that each of them takes. */
export interface RandomDocument {
  readonly text: string;
  readonly operations: readonly { readonly operationName: string; readonly variables: readonly string[] }[];
}

/** A selection as text; fragments that it names come after the operations. */
interface Selection {
  readonly text: string;
  readonly fragments: readonly string[];
}

const union = schema.getType('OracleChunk');
const chunkTypes: readonly (GraphQLObjectType | GraphQLInterfaceType)[] = [
  ...Object.values(schema.getTypeMap()).filter((type) => isInterfaceType(type) && type.name === 'StreamChunk'),
  ...(union && 'getTypes' in union ? union.getTypes() : []),
].filter((type) => isObjectType(type) || isInterfaceType(type));

const condition = fc.constantFrom('true', 'false', '$yes', '$no');
const directives = fc
  .array(fc.tuple(fc.constantFrom('include', 'skip'), condition), { maxLength: 2 })
  .map((chosen) => [...new Map(chosen)].map(([name, value]) => ` @${name}(if: ${value})`).join(''));
const mostlyNone = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: directives });

/** Any fields of a type, with aliases that are the same for the same field only, so that they never conflict. */
function selectionOn(type: GraphQLObjectType | GraphQLInterfaceType): fc.Arbitrary<Selection> {
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length === 0);
  const one = fc.constantFrom(undefined, ...fields).chain((field) => {
    const name = field?.name ?? '__typename';
    const inner = field && getNamedType(field.type);
    const below: fc.Arbitrary<Selection> = isObjectType(inner) ? selectionOn(inner) : fc.constant(nothing);
    return fc.tuple(fc.boolean(), mostlyNone, below).map(([aliased, directive, { text, fragments }]) => ({
      text: `${aliased ? `x${type.name}_${name}: ` : ''}${name}${directive} ${text && `{ ${text} }`}`,
      fragments,
    }));
  });
  return fc.array(one, { minLength: 1, maxLength: 6 }).map(together);
}

const nothing: Selection = { text: '', fragments: [] };

function together(selections: readonly Selection[]): Selection {
  return {
    text: selections.map(({ text }) => text).join(' '),
    fragments: selections.flatMap(({ fragments }) => fragments),
  };
}

/** Written where it is, within another of no type, or by its name. */
const fragment = fc
  .constantFrom(...chunkTypes)
  .chain((type) =>
    fc.tuple(fc.constant(type.name), selectionOn(type), mostlyNone, fc.constantFrom('inline', 'nested', 'named')),
  )
  .map(([type, selected, directive, way]): Selection => {
    if (way === 'inline') return { ...selected, text: `... on ${type}${directive} { ${selected.text} }` };
    if (way === 'nested') return { ...selected, text: `...${directive} { ... on ${type} { ${selected.text} } }` };
    const name = `F${type}_${hash(selected.text)}`;
    return {
      text: `...${name}${directive}`,
      fragments: [...selected.fragments, `fragment ${name} on ${type} { ${selected.text} }`],
    };
  });

const typename: fc.Arbitrary<Selection> = mostlyNone.map((directive) => ({
  ...nothing,
  text: `__typename${directive}`,
}));
const onChunk = fc.array(fc.oneof({ weight: 6, arbitrary: fragment }, { weight: 1, arbitrary: typename }), {
  minLength: 1,
  maxLength: 8,
});

export const randomDocument: fc.Arbitrary<RandomDocument> = fc
  .array(fc.tuple(onChunk.map(together), fc.boolean()), { minLength: 1, maxLength: 3 })
  .map((selections) => {
    const operations = selections.map(([selected, aliased], index) => {
      const all = [selected.text, ...selected.fragments].join(' ');
      const variables = ['yes', 'no'].filter((name) => all.includes(`$${name}`));
      const declared = variables.map((name) => `$${name}: Boolean!${name === 'yes' ? ' = true' : ''}`).join(', ');
      const operationName = `Operation${index}`;
      const root = `${aliased ? 'it: ' : ''}oracleRun(runId: "run") { ${selected.text} }`;
      return {
        operationName,
        variables,
        text: `subscription ${operationName} ${declared && `(${declared})`} { ${root} }`,
      };
    });
    const fragments = new Set(selections.flatMap(([selected]) => selected.fragments));
    return { text: [...operations.map(({ text }) => text), ...fragments].join('\n'), operations };
  });

function hash(text: string): string {
  let value = 0;
  for (let index = 0; index < text.length; index += 1) value = (value * 31 + text.charCodeAt(index)) | 0;
  return String(value >>> 0);
}
