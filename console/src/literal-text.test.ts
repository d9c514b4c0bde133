import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const source = import.meta.dirname;

/** What people see or have read to them, whether on an element or handed to a component. */
const spoken =
  /^(aria-(label|description|valuetext|roledescription)|title|placeholder|alt|label|heading|description|hint|text|emptyText|message|caption|aspect)$/;

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Every literal text of a file that a person would see. */
function literalsOf(code: string): readonly string[] {
  const found: string[] = [];
  visit(parseSync('file.tsx', code).program);
  return found;

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value)) return;
    if (value.type === 'JSXText') collect(value);
    if (value.type === 'JSXElement' || value.type === 'JSXFragment') {
      for (const child of asList(value.children))
        if (child.type === 'JSXExpressionContainer') collect(child.expression);
    }
    if (value.type === 'JSXAttribute' && spoken.test(nameOf(value.name))) collect(value.value);
    if (value.type === 'Property' && spoken.test(nameOf(value.key))) collect(value.value);
    for (const [key, part] of Object.entries(value)) if (key !== 'loc') visit(part);
  }

  function collect(value: unknown): void {
    if (!isNode(value)) return;
    if (value.type === 'JSXText' || value.type === 'Literal') keep(value.value);
    if (value.type === 'JSXExpressionContainer') collect(value.expression);
    if (value.type === 'TemplateLiteral') for (const part of asList(value.quasis)) keep(cooked(part));
    if (value.type === 'LogicalExpression') collect(value.right);
    if (value.type === 'ConditionalExpression') {
      collect(value.consequent);
      collect(value.alternate);
    }
  }

  function keep(text: unknown): void {
    if (typeof text === 'string' && /\p{L}/u.test(text)) found.push(text.trim().replace(/\s+/g, ' '));
  }
}

function cooked(part: Node): unknown {
  const { value } = part;
  return typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : undefined;
}

function nameOf(value: unknown): string {
  return isNode(value) && typeof value.name === 'string' ? value.name : '';
}

function asList(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => relative(source, join(source, path)).replaceAll('\\', '/'));

describe('texts', () => {
  it.each(files)('of %s are in words.ts', (file) => {
    expect(literalsOf(readFileSync(join(source, file), 'utf8'))).toEqual([]);
  });

  it('are found wherever they may hide', () => {
    const code = `
      const views = [{ name: 'quiet', label: 'A view' }];
      const view = <p class="quiet" title="On hover">In sight {busy() ? 'Busy' : words.free} {open && 'Open'}
        <input placeholder={\`Type \${what} here\`} aria-label={words.field} /></p>;`;

    expect(literalsOf(code).toSorted()).toEqual(['A view', 'Busy', 'In sight', 'On hover', 'Open', 'Type', 'here']);
  });
});
