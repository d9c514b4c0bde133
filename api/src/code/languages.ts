import { go } from './queries/go.ts';
import { javascript } from './queries/javascript.ts';
import { python } from './queries/python.ts';
import { rust } from './queries/rust.ts';
import { typescript } from './queries/typescript.ts';

/** A language whose symbols are found. Files in others are searched as text. */
export interface Language {
  readonly name: string;
  readonly grammar: string;
  readonly query: string;
  readonly extensions: readonly string[];
}

export const languages: readonly Language[] = [
  { name: 'typescript', grammar: 'typescript', query: typescript, extensions: ['ts', 'mts', 'cts'] },
  { name: 'tsx', grammar: 'tsx', query: typescript, extensions: ['tsx'] },
  { name: 'javascript', grammar: 'javascript', query: javascript, extensions: ['js', 'mjs', 'cjs', 'jsx'] },
  { name: 'python', grammar: 'python', query: python, extensions: ['py', 'pyi'] },
  { name: 'go', grammar: 'go', query: go, extensions: ['go'] },
  { name: 'rust', grammar: 'rust', query: rust, extensions: ['rs'] },
];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((end) => [end, language] as const)),
);

export function languageOf(path: string): Language | undefined {
  return byExtension.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}
