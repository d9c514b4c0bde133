import tailwindcss from '@tailwindcss/vite';
import { defaultClientConditions, defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

/** Where `npm run dev` finds the API. */
const api = process.env.ORACLE_API_URL ?? 'http://127.0.0.1:4000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid(), tailwindcss()],
  // The SDK is read from its source, so that no build of it can be out of date.
  resolve: { conditions: ['oracle-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Nobody who starts the server wants to know how long the build's plugins took.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // A worker of modules, so that its grammars are files of their own.
  worker: { format: 'es' },
  // The Host header must stay as the browser sent it, because sign-in compares it with the page's origin; the short
  // form of a proxy entry, a mere address, would change it.
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/session', '/graphiql', '/health'].map((path) => [
        path,
        { target: api, ws: path === '/graphql', changeOrigin: false },
      ]),
    ),
  },
});
