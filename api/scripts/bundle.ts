/** Bundles the server and the import command, packages included: a few files to read at every start, not 1 500. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

await build({
  absWorkingDir: root,
  entryPoints: [
    'api/src/main.ts',
    'api/src/code/parse-worker.ts', // a thread of its own
    'api/src/import/main.ts',
    ...decisionTrees(),
  ],
  outbase: 'api/src',
  outdir: 'api/dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // Nine megabytes that only whoever opens /graphiql needs.
  external: ['@graphql-yoga/render-graphiql'],
  // The ORM knows entities and extensions by the names of their classes.
  keepNames: true,
  // Packages of the older kind ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});

/** Entries of their own, so that the server finds them by reading their folder; see api/src/load-trees.ts. */
function decisionTrees(): readonly string[] {
  const folder = 'api/src/agent/trees';
  const files = readdirSync(join(root, folder)).filter((name) => /^[\w-]+\.ts$/.test(name));
  return files.map((name) => `${folder}/${name}`);
}
