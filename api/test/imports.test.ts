import { describe, expect, it } from 'vitest';
import { type ImportLine, importsOf, isNodeBuiltIn, readSources } from './kit/import-lines.ts';

/** Each may import itself and what stands behind it. Folders not named stand below all but the agent. */
const order = ['main', 'server', 'http', 'graphql', 'runs', 'runner'];

const api = readSources('api/src');
const imports = api.flatMap(importsOf);

/** The part of the API that a file belongs to: its folder, or its own name at the top. */
function partOf(path: string): string {
  return /^api\/src\/([^/.]+)/.exec(path)?.[1] ?? `outside of api/src: ${path}`;
}

function rankOf(path: string): number {
  const part = partOf(path);
  if (part === 'agent') return order.length + 1;
  return order.includes(part) ? order.indexOf(part) : order.length;
}

const show = ({ file, target }: ImportLine) => `${file} imports ${target}`;
const breaches = (lines: readonly ImportLine[], rule: (line: ImportLine) => boolean) =>
  lines.filter((line) => !rule(line)).map(show);

describe('imports of the API', () => {
  it('are seen by this test', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.some(({ file, target }) => partOf(file) === 'main' && partOf(target) === 'server')).toBe(true);
  });

  it('go from main to server to graphql to runs to runner to agent, never back', () => {
    const own = imports.filter(({ own }) => own);

    expect(
      breaches(own, ({ file, target }) => target.startsWith('api/src/') && rankOf(target) >= rankOf(file)),
    ).toEqual([]);
  });

  it('leave the agent with zod and its neighbours', () => {
    const agent = imports.filter(({ file }) => partOf(file) === 'agent');

    expect(breaches(agent, ({ own, target }) => (own ? partOf(target) === 'agent' : target === 'zod'))).toEqual([]);
  });

  it('give the runner only the types of models, tools, events, store and the like', () => {
    const runner = imports.filter(({ file, own }) => partOf(file) === 'runner' && own);
    const within = ['runner', 'agent'];

    expect(breaches(runner, ({ target, typesOnly }) => typesOnly || within.includes(partOf(target)))).toEqual([]);
  });

  it('name no other workspace', () => {
    expect(breaches(imports, ({ target }) => !target.startsWith('@oracle-agent/'))).toEqual([]);
  });
});

describe('functions', () => {
  /** Clients of MCP servers and of databases are few, and there for long. */
  const longLived = ['api/src/mcp/open-client.ts', 'api/src/store/database.ts'];
  const intoProperty = /\.#?\w+ (\?\?)?= (async )?(\([^()]*\)|\w+) =>/;

  it('are not put into properties: the engine makes such a function old at once, and all that it refers to', () => {
    const lines = api
      .filter(({ file }) => !longLived.includes(file))
      .flatMap(({ file, text }) => text.split('\n').map((line) => `${file}: ${line.trim()}`));

    expect(intoProperty.test('this.#turn = () => view.turn();')).toBe(true);
    expect(lines.filter((line) => intoProperty.test(line))).toEqual([]);
  });
});

describe('the environment', () => {
  it('is read where programs begin, which hand it to env.ts', () => {
    const readers = [...api, ...readSources('sdk/src'), ...readSources('console/src')]
      .filter(({ text }) => /\bprocess\s*\??\.\s*env\b/.test(text))
      .map(({ file }) => file);

    expect(readers.toSorted()).toEqual(['api/src/import/main.ts', 'api/src/main.ts']);
    const uses = api.find(({ file }) => file === 'api/src/main.ts')?.text.match(/process\.env\S*/g);
    expect(uses).toEqual(['process.env);']);
  });
});

describe('imports of the SDK and the console', () => {
  const sdk = readSources('sdk/src').flatMap(importsOf);
  const console = readSources('console/src').flatMap(importsOf);

  it('never lead from the SDK to the API, the console or Node', () => {
    expect(sdk.length).toBeGreaterThan(10);
    expect(breaches(sdk, ({ own, target }) => !own || target.startsWith('sdk/src/'))).toEqual([]);
    expect(breaches(sdk, ({ target }) => !isNodeBuiltIn(target) && !target.startsWith('@oracle-agent/'))).toEqual([]);
  });

  it('never lead from the console to the API', () => {
    expect(breaches(console, ({ own, target }) => !own || target.startsWith('console/'))).toEqual([]);
    expect(breaches(console, ({ target }) => !/^@oracle-agent\/(?!sdk\b)/.test(target))).toEqual([]);
  });
});
