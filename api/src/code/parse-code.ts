import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { CodeSymbol, NameUse, ParsedCode, SymbolKind } from './code.ts';
import { type Language, languageOf } from './languages.ts';

const mostSymbols = 5_000;
const mostNames = 5_000;
const mostLinesOfName = 200;
const longestName = 200;
const longestSignature = 240;

const require = createRequire(import.meta.url);
const runtime: typeof TreeSitter = require('@vscode/tree-sitter-wasm');
const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm'));

interface Prepared {
  readonly parser: TreeSitter.Parser;
  readonly query: TreeSitter.Query;
}

let started: Promise<void> | undefined;
const prepared = new Map<string, Promise<Prepared>>();

/** The symbols that a file defines and the names that it uses; nothing for a language that is not known. */
export async function parseCode(path: string, text: string): Promise<ParsedCode> {
  const language = languageOf(path);
  if (!language) return { symbols: [], uses: [] };
  const ready = prepared.get(language.name) ?? prepare(language);
  prepared.set(language.name, ready);
  const { parser, query } = await ready;
  const tree = parser.parse(text);
  if (!tree) return { symbols: [], uses: [] };
  try {
    return read(query.matches(tree.rootNode));
  } finally {
    tree.delete(); // lives in the parser's own memory, which nobody else clears
  }
}

async function prepare({ grammar, query }: Language): Promise<Prepared> {
  started ??= runtime.Parser.init();
  await started;
  const language = await runtime.Language.load(join(grammars, `tree-sitter-${grammar}.wasm`));
  const parser = new runtime.Parser();
  parser.setLanguage(language);
  return { parser, query: new runtime.Query(language, query) };
}

/**
 * What the captures of a query mean: `definition.<kind>` is a definition, `name` its name, `container` the type that it
 * belongs to when it stands elsewhere. `scope` is a block that is no definition but names what its contents belong to.
 * `reference` is a use of a name, `use` one unless the name is that of a `local` variable, `ignore` none.
 */
function read(matches: readonly TreeSitter.QueryMatch[]): ParsedCode {
  const definitions = new Map<number, Found>();
  const scopes: Scope[] = [];
  const locals = new Set<string>();
  const ignored = new Set<number>();
  const uses = new Map<number, { readonly node: TreeSitter.Node; readonly sure: boolean }>();
  for (const { captures } of matches) {
    const nodeOf = (capture: string) => captures.find(({ name }) => name === capture)?.node;
    const name = nodeOf('name');
    for (const { name: capture, node } of captures) {
      if (capture.startsWith('definition.') && name) {
        const kind = capture.slice('definition.'.length).toUpperCase() as SymbolKind;
        // Several patterns may fit one name, in any order: a constant that is a function is told to be one.
        const known = definitions.get(name.id);
        if (known === undefined || vague.has(known.kind))
          definitions.set(name.id, { node, name, kind, owner: nodeOf('container')?.text });
      } else if (capture === 'scope') scopes.push({ node, name: nodeOf('scope.name')?.text ?? '', kind: 'CLASS' });
      else if (capture === 'local') locals.add(node.text);
      else if (capture === 'ignore') ignored.add(node.id);
      else if (capture === 'reference') uses.set(node.id, { node, sure: true });
      else if (capture === 'use' && !uses.has(node.id)) uses.set(node.id, { node, sure: false });
    }
  }
  const found = [...definitions.values()]
    .filter(({ name }) => name.text.length <= longestName)
    .sort((one, other) => one.node.startIndex - other.node.startIndex || other.node.endIndex - one.node.endIndex)
    .slice(0, mostSymbols);
  for (const { name } of found) {
    ignored.add(name.id);
    locals.delete(name.text);
  }
  return { symbols: symbolsOf(found, scopes), uses: usesOf([...uses.values()], locals, ignored) };
}

const vague: ReadonlySet<SymbolKind> = new Set(['CONSTANT', 'TYPE']);

interface Found {
  readonly node: TreeSitter.Node;
  readonly name: TreeSitter.Node;
  readonly kind: SymbolKind;
  readonly owner: string | undefined;
}

interface Scope {
  readonly node: TreeSitter.Node;
  readonly name: string;
  readonly kind: SymbolKind;
}

/** Walks the definitions in the order of the text, with a stack of those that are still open. */
function symbolsOf(found: readonly Found[], scopes: readonly Scope[]): readonly CodeSymbol[] {
  const open: Scope[] = [];
  const entries = [
    ...scopes.map((scope) => ({ scope, definition: undefined })),
    ...found.map((definition) => ({ scope: { ...definition, name: definition.name.text }, definition })),
  ].sort(
    (one, other) =>
      one.scope.node.startIndex - other.scope.node.startIndex || other.scope.node.endIndex - one.scope.node.endIndex,
  );
  return entries.flatMap(({ scope, definition }) => {
    while ((open.at(-1)?.node.endIndex ?? Number.POSITIVE_INFINITY) < scope.node.endIndex) open.pop();
    while (open.length > 0 && (open.at(-1)?.node.endIndex ?? 0) <= scope.node.startIndex) open.pop();
    // What is declared in one go, as in `const a, b`, does not contain each other.
    const container = open.findLast(({ node }) => node.id !== scope.node.id);
    open.push(scope);
    if (!definition) return [];
    const isMethod = definition.kind === 'FUNCTION' && container !== undefined && typeLike.has(container.kind);
    return [
      {
        name: definition.name.text,
        kind: isMethod ? 'METHOD' : definition.kind,
        signature: signatureOf(definition.node),
        container: definition.owner ?? container?.name ?? null,
        line: definition.node.startPosition.row + 1,
        endLine: definition.node.endPosition.row + 1,
      } satisfies CodeSymbol,
    ];
  });
}

const typeLike: ReadonlySet<SymbolKind> = new Set(['CLASS', 'STRUCT', 'INTERFACE', 'ENUM']);

/** Everything before the body; of what has none, as much as is telling. */
function signatureOf(node: TreeSitter.Node): string {
  const body = bodyOf(node, 0);
  const head = body ? node.text.slice(0, body.startIndex - node.startIndex) : node.text;
  const line = head
    .slice(0, longestSignature * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\s*(=>|[{:=])$/, (end) => (end.trim() === '=>' ? ' =>' : ''));
  return line.length <= longestSignature ? line : `${line.slice(0, longestSignature - 1)}…`.toWellFormed();
}

/** A function may be the value of what is declared: its body is then two or three steps below. */
function bodyOf(node: TreeSitter.Node, depth: number): TreeSitter.Node | null {
  const body = node.childForFieldName('body');
  if (body || depth === 2) return body;
  for (const child of node.namedChildren) {
    const value = child?.type === 'variable_declarator' ? child : node;
    const inner = value.childForFieldName('value') ?? value.childForFieldName('right');
    const found = inner && functions.test(inner.type) ? inner.childForFieldName('body') : null;
    if (found) return found;
  }
  return null;
}

const functions = /^(arrow_function|function_expression|generator_function)$/;

function usesOf(
  uses: readonly { readonly node: TreeSitter.Node; readonly sure: boolean }[],
  locals: ReadonlySet<string>,
  ignored: ReadonlySet<number>,
): readonly NameUse[] {
  const lines = new Map<string, Set<number>>();
  for (const { node, sure } of uses) {
    if (ignored.has(node.id)) continue;
    const name = node.text;
    if (name.length > longestName || (!sure && (name.length < 2 || locals.has(name)))) continue;
    const known = lines.get(name) ?? new Set();
    if (known.size === 0 && lines.size >= mostNames) continue;
    if (known.size < mostLinesOfName) known.add(node.startPosition.row + 1);
    lines.set(name, known);
  }
  return [...lines].map(([name, on]) => ({ name, lines: [...on].sort((one, other) => one - other) }));
}
