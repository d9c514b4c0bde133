import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }));

describe('the sources of the SDK', () => {
  it('import nothing but each other and graphql-ws; the exchange for urql imports urql', () => {
    const imports = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:from|import)\s*\(?'([^']+)'/g)].map(([, name = '']) => ({ file, name })),
    );
    const foreign = imports.filter(({ name }) => !name.startsWith('.'));

    expect(imports.length).toBeGreaterThan(20);
    expect(foreign).toEqual([
      { file: 'socket.ts', name: 'graphql-ws/client' },
      { file: 'urql.ts', name: '@urql/core' },
    ]);
    expect(foreign.filter(({ name }) => name.startsWith('node:') || builtinModules.includes(name))).toEqual([]);
  });

  it('use nothing that only Node has', () => {
    const bound = sources.filter(({ text }) => /\b(process|Buffer|require|setImmediate|__dirname)\b[.(]/.test(text));

    expect(bound.map(({ file }) => file)).toEqual([]);
  });

  it('never say any, generated ones included', () => {
    const loose = sources.filter(({ text }) => /[:<|&,=(]\s*any\b|\bas any\b|\bany\[\]/.test(withoutComments(text)));

    expect(loose.map(({ file }) => file)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\/|\/\/.*$/gms, '');
}
