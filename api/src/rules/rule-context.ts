import { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../agent/json.ts';
import { boundedJson } from './bounded-json.ts';
import { answers, linearMatch } from './helper-answers.ts';
import type { Trigger } from './rule.ts';
import { type Shape, shapesOf } from './shape.ts';
import {
  commonFacts,
  endingFacts,
  type FactSpec,
  type FactSpecs,
  type HelperSpec,
  helpers,
  type RuleFacts,
  toolFacts,
} from './vocabulary.ts';

/** Parsing is bounded by these, evaluation by what work-bound.ts allows. */
const parserLimits = { maxAstNodes: 300, maxDepth: 24, maxListElements: 50, maxMapEntries: 20, maxCallArguments: 8 };

/** A number, string or the like; an instance of one of the classes below; or lists and maps of such. */
type Value = unknown;
type Dresser = (value: unknown) => Value;

/** What can be asked about under a trigger, and the environment that checks and evaluates such questions. */
export class RuleLanguage {
  readonly facts: FactSpecs;
  /** How big each fact can be. */
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly environment: Environment;
  readonly #dress: new (
    facts: RuleFacts,
  ) => Readonly<Record<string, Value>>;
  #current: RuleFacts | undefined;

  constructor(facts: FactSpecs) {
    this.facts = facts;
    this.shapes = shapesOf(facts);
    this.environment = new Environment({ limits: parserLimits, homogeneousAggregateLiterals: true });
    const dressers = Object.entries(facts).map(([name, spec]) => [name, this.#declare(spec)] as const);
    for (const [name, spec] of Object.entries(facts)) this.environment.registerVariable(name, celType(spec));
    for (const [name, { signatures }] of Object.entries<HelperSpec>(helpers)) {
      const answer = answers[name as keyof typeof helpers];
      for (const signature of signatures) {
        const ask = (value: unknown) => answer(this.#facts, value);
        const dressed = signature.endsWith(': int') ? (value: unknown) => BigInt(Number(ask(value))) : ask;
        this.environment.registerFunction(signature, dressed, { async: false });
      }
    }
    this.environment.registerFunction('string.matchesLinear(string): bool', linearMatch, { async: false });
    this.#dress = dressedClass('RuleFacts', dressers);
  }

  /** The facts as CEL reads them, worked out when they are asked for. */
  dress(facts: RuleFacts): DressedFacts {
    return { facts, values: new this.#dress(facts) };
  }

  /** Evaluation is synchronous, so the helpers may look at the facts that are being asked about. */
  evaluate(compiled: (context: Readonly<Record<string, Value>>) => unknown, dressed: DressedFacts): unknown {
    this.#current = dressed.facts;
    try {
      return compiled(dressed.values);
    } finally {
      this.#current = undefined;
    }
  }

  get #facts(): RuleFacts {
    if (!this.#current) throw new Error('A helper was called outside of an evaluation.');
    return this.#current;
  }

  /** Registers the types that a fact needs, and answers with what dresses its values. */
  #declare(spec: FactSpec): Dresser {
    switch (spec.type) {
      case 'int':
        return (value) => BigInt(Math.trunc(Number(value)));
      case 'double':
        return (value) => Number(value);
      case 'bool':
        return (value) => value === true;
      case 'string':
        return (value) => String(value).slice(0, spec.longest);
      case 'json':
        return (value) => boundedJson(value as Readonly<Record<string, Json>>);
      case 'list': {
        const dress = this.#declare(spec.of);
        return (value) => (value as readonly unknown[]).slice(-spec.most).map(dress);
      }
      case 'object': {
        const fields = Object.entries(spec.fields);
        const dressers = fields.map(([name, field]) => [name, this.#declare(field)] as const);
        const Dressed = dressedClass(spec.name, dressers);
        const types = Object.fromEntries(fields.map(([name, field]) => [name, celType(field)]));
        this.environment.registerType(spec.name, { ctor: Dressed, fields: types });
        return (value) => new Dressed(value);
      }
    }
  }
}

export interface DressedFacts {
  readonly facts: RuleFacts;
  readonly values: Readonly<Record<string, Value>>;
}

const languages = {
  common: new RuleLanguage(commonFacts),
  tools: new RuleLanguage({ ...commonFacts, ...toolFacts }),
  endings: new RuleLanguage({ ...commonFacts, ...endingFacts }),
};

export function languageOf(trigger: Trigger): RuleLanguage {
  switch (trigger) {
    case 'TOOL_CALL':
    case 'TOOL_COMPLETE':
    case 'TOOL_FAILURE':
      return languages.tools;
    case 'SESSION_END':
      return languages.endings;
    default:
      return languages.common;
  }
}

export function celType(spec: FactSpec): string {
  if (spec.type === 'json') return 'map<string, dyn>';
  if (spec.type === 'list') return `list<${celType(spec.of)}>`;
  return spec.type === 'object' ? spec.name : spec.type;
}

/** The one fact that differs from rule to rule, and is therefore read anew each time. */
const perRule = 'state';

/** A class whose fields are worked out when they are read, and then kept. */
function dressedClass(
  name: string,
  fields: readonly (readonly [string, Dresser])[],
): new (
  value: unknown,
) => Readonly<Record<string, Value>> {
  class Dressed {
    readonly #value: Readonly<Record<string, unknown>>;
    readonly #kept = new Map<string, Value>();

    constructor(value: unknown) {
      this.#value = value as Readonly<Record<string, unknown>>;
    }

    static {
      for (const [field, dress] of fields) {
        Object.defineProperty(Dressed.prototype, field, {
          get(this: Dressed) {
            const known = this.#kept.get(field);
            if (known !== undefined) return known;
            const plain = this.#value[field];
            const dressed = plain === undefined ? undefined : dress(plain);
            if (field !== perRule) this.#kept.set(field, dressed);
            return dressed;
          },
        });
      }
    }
  }
  Object.defineProperty(Dressed, 'name', { value: name });
  return Dressed as new (
    value: unknown,
  ) => Dressed & Readonly<Record<string, Value>>;
}
