import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { didYouMean } from '../tools/did-you-mean.ts';
import { nearest } from '../vault/nearest.ts';
import { eventsOfTrigger, type Trigger } from './rule.ts';
import { commonFacts, endingFacts, type FactSpec, type FactSpecs, type RuleFacts, toolFacts } from './vocabulary.ts';

/** A run in its third turn, as rules might see it: what somebody's own sample leaves out is taken from here. */
export function sampleFacts(trigger: Trigger): RuleFacts {
  const failed = trigger === 'TOOL_FAILURE';
  const facts: RuleFacts = {
    turn: 3,
    elapsed: 12.5,
    question: 'What did we decide about caching?',
    tokens: { used: 5_000, input: 4_000, output: 1_000, budget: 50_000, left: 45_000, share: 0.1 },
    context: { tokens: 2_000, window: 64_000, share: 0.03125 },
    limits: AgentConfigSchema.parse({}),
    history: {
      messages: 6,
      toolCalls: 2,
      failures: 1,
      repeats: 0,
      errorStreak: 0,
      tools: [
        { name: 'vault_search', ok: true, error: '', turn: 1, durationMs: 12 },
        { name: 'vault_read', ok: false, error: 'There is no such note.', turn: 2, durationMs: 3 },
      ],
    },
    run: { id: '00000000-0000-0000-0000-000000000000', model: 'offline', decisionTree: 'default' },
    user: { id: '00000000-0000-0000-0000-000000000000', role: 'USER' },
    project: { id: '00000000-0000-0000-0000-000000000000', name: 'Sample' },
    state: {},
    event: { name: eventsOfTrigger[trigger][0], severity: 'INFO', payload: {} },
  };
  if (trigger === 'SESSION_END')
    return { ...facts, ending: { reason: 'COMPLETED', turns: 3, tokens: 5_000, seconds: 12.5 } };
  if (!trigger.startsWith('TOOL_')) return facts;
  return {
    ...facts,
    tool: {
      name: 'vault_read',
      arguments: { path: 'decisions/caching.md' },
      ok: trigger === 'TOOL_COMPLETE',
      result: trigger === 'TOOL_COMPLETE' ? 'We cache for ten minutes.' : '',
      resultTokens: trigger === 'TOOL_COMPLETE' ? 8 : 0,
      error: failed ? 'There is no such note.' : '',
      durationMs: 3,
    },
  };
}

/** Lays somebody's own facts over the sample; every part that does not fit is a problem. */
export function mergeSample(trigger: Trigger, given: Json): RuleFacts | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const specs: FactSpecs = {
    ...commonFacts,
    ...(trigger === 'SESSION_END' ? endingFacts : {}),
    ...(trigger.startsWith('TOOL_') ? toolFacts : {}),
  };
  const merged = mergeFields(specs, sampleFacts(trigger), given, '', problems);
  return problems.length > 0 ? { problems } : (merged as RuleFacts);
}

function mergeFields(specs: FactSpecs, base: object, given: Json, path: string, problems: string[]): object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push(`${path === '' ? 'The sample' : path} must be an object.`);
    return base;
  }
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    const place = path === '' ? name : `${path}.${name}`;
    if (!spec) {
      const guess = didYouMean(nearest(name, Object.keys(specs), 1), `There is ${Object.keys(specs).join(', ')}.`);
      problems.push(`There is no "${place}". ${guess}`);
    } else if (spec.type === 'object') {
      merged[name] = mergeFields(spec.fields, (merged[name] ?? {}) as object, value ?? null, place, problems);
    } else if (fits(spec, value)) merged[name] = value;
    else problems.push(`${place} must be ${kindOf(spec)}.`);
  }
  return merged;
}

function fits(spec: FactSpec, value: Json | undefined): boolean {
  switch (spec.type) {
    case 'int':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
    case 'double':
      return typeof value === 'number' && Number.isFinite(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'list':
      return Array.isArray(value) && value.every((item: Json) => fits(spec.of, item));
    default: {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (spec.type === 'json' || !isObject) return isObject;
      return Object.entries(spec.fields).every(([name, field]) => fits(field, (value as Record<string, Json>)[name]));
    }
  }
}

function kindOf(spec: FactSpec): string {
  if (spec.type === 'list')
    return `a list of objects with ${Object.keys((spec.of as { fields?: object }).fields ?? {}).join(', ')}`;
  const kinds = {
    int: 'a whole number below 2,147,483,648',
    double: 'a number',
    bool: 'true or false',
    string: 'a text',
    json: 'an object',
  };
  return spec.type === 'object' ? 'an object' : kinds[spec.type];
}
