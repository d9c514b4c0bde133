import { canonicalJson, type Json } from '../../agent/json.ts';
import { type KnownTools, problems, type TextCall, unnamed } from './text-call.ts';

/** One argument as it was written between tags. */
export interface WrittenParameter {
  readonly name: string;
  readonly text: string;
  /** What else the tag says: DeepSeek tells by it whether the value is plain text. */
  readonly attributes: string;
}

type Schema = Readonly<Record<string, Json>>;

/** A call with its arguments in tags. Values are read as the tool wants them: its texts stay as they were written. */
export function callOf(name: string, parameters: readonly WrittenParameter[], tools: KnownTools): TextCall {
  const properties = asSchema(tools.get(name)?.properties);
  const values = parameters.map((parameter) => [parameter.name, argumentOf(parameter, properties)] as const);
  return { name: name.trim() || unnamed, input: canonicalJson(Object.fromEntries(values)) };
}

function argumentOf({ name, text, attributes }: WrittenParameter, properties: Schema | undefined): Json {
  if (/\bstring\s*=\s*["']?true/.test(attributes)) return text;
  const value = text.startsWith('\n') && text.endsWith('\n') && text.length > 1 ? text.slice(1, -1) : text;
  const wanted = asSchema(properties?.[name])?.type;
  if (wanted === 'string') return value;
  const read = jsonOf(value);
  if (read === undefined || (wanted === undefined && typeof read === 'string')) return value;
  return read;
}

/** Calls written as JSON: one object, or a list of them. Undefined when it is no JSON. */
export function callsInJson(text: string): readonly TextCall[] | undefined {
  const value = jsonOf(text);
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]).map((entry) => callInJson(entry as Json, text));
}

function callInJson(value: Json, text: string): TextCall {
  const outer = asSchema(value);
  if (outer === undefined) return { name: unnamed, input: text, problem: problems.notJson };
  const inner = asSchema(outer.function) ?? outer;
  const name = [inner.name, inner.tool, inner.tool_name, inner.function].find((entry) => typeof entry === 'string');
  if (name === undefined || name === '') return { name: unnamed, input: text, problem: problems.notJson };
  const given = inner.arguments ?? inner.parameters ?? inner.args ?? inner.input ?? {};
  return { name, input: typeof given === 'string' ? given : canonicalJson(given) };
}

/**
 * The inside of a `tool_call` element: JSON as Hermes and Qwen write it, Qwen's functions with their parameters, or GLM's
 * keys and values. `cut` when the element was never closed.
 */
export function callsInToolCall(body: string, tools: KnownTools, cut: boolean): readonly TextCall[] {
  const text = body.trim();
  if (text.startsWith('{')) return callsInJson(text) ?? mended(text) ?? [unusable(text, cut)];
  const coded = /^<function=([^<>\s]{1,200})\s*>([\s\S]*?)(?:<\/function>|$)/.exec(text);
  if (coded?.[1] !== undefined) {
    const parameters = parametersIn(coded[2] ?? '', /<parameter=([^<>]{1,200})>([\s\S]*?)<\/parameter>/g);
    return [cut && !text.includes('</function>') ? unusable(text, cut, coded[1]) : callOf(coded[1], parameters, tools)];
  }
  const keyed = /^([\w.-]+)\s*(?=<arg_key>)([\s\S]*)$/.exec(text);
  if (keyed?.[1] === undefined) return [unusable(text, cut)];
  const pairs = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;
  return [cut ? unusable(text, cut, keyed[1]) : callOf(keyed[1], parametersIn(keyed[2] ?? '', pairs), tools)];
}

/** The inside of DeepSeek's older marks: the name, a separator, and JSON, which may stand in a fence. */
export function callInTokens(body: string, cut: boolean): TextCall {
  const parts =
    /^(?:function)?(?:<[|｜]tool[▁_]sep[|｜]>)?\s*([\w.-]{1,200})\s*(?:<[|｜]tool[▁_]sep[|｜]>)?([\s\S]*)$/.exec(body);
  const name = parts?.[1] ?? unnamed;
  const input = (parts?.[2] ?? body).replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, '').trim();
  return jsonOf(input) === undefined ? unusable(input, cut, name) : { name, input };
}

/** A call that cannot be used. What was written goes back to the model with it, so that nothing is lost. */
export function unusable(text: string, cut: boolean, name = namedIn(text)): TextCall {
  return { name, input: text, problem: cut ? problems.cutOff : problems.notJson };
}

/** Brackets left open at the end are a common slip. */
function mended(text: string): readonly TextCall[] | undefined {
  return callsInJson(`${text}}`) ?? callsInJson(`${text}}}`);
}

function namedIn(text: string): string {
  return /"name"\s*:\s*"([\w.-]{1,200})"/.exec(text)?.[1] ?? unnamed;
}

function parametersIn(text: string, pattern: RegExp): readonly WrittenParameter[] {
  return [...text.matchAll(pattern)].map(([, name = '', value = '']) => ({
    name: name.trim(),
    text: value,
    attributes: '',
  }));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asSchema(value: Json | undefined): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}
