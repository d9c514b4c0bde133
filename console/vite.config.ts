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
  },
  // The Host header stays as the browser sent it: sign-in compares it with the page's origin.
  server: { proxy: { '/graphql': { target: api, ws: true }, '/session': api, '/graphiql': api, '/health': api } },
});
