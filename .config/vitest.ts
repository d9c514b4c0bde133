import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { decorators } from './decorators-plugin.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

const server = {
  root,
  plugins: [decorators()],
  // Two copies of graphql, one ESM and one CommonJS, would not know each other's types.
  resolve: { alias: { graphql: require.resolve('graphql') }, conditions: ['oracle-source'] },
  ssr: { resolve: { conditions: ['oracle-source'] } },
};

const kills = 'api/test/kill-runs.test.ts';
const speed = 'api/test/speed.test.ts';
/** Those that read runs but do not ask for either way by themselves. */
const streams = [
  ...['gone-reader', 'stalled-reader', 'recorded-streams', 'end-to-end', 'cancel', 'busy', 'conversation'],
  ...['bad-input', 'bad-tools', 'bent-protocol', 'text-calls', 'offline', 'acceptance-edge-cases'],
]
  .map((name) => `api/test/oracle/${name}.test.ts`)
  .concat(['two-servers', 'stop-runs', 'librarian/kill'].map((name) => `api/test/${name}.test.ts`));

const shared = {
  // Nothing that is imported keeps a state that another file would notice; importing it anew took a third of the time.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Only ends a test that has failed; what is waited for comes as soon as the machine lets it.
  expect: { poll: { timeout: 15_000 } },
};

export default defineConfig({
  test: {
    // Most tests wait for a database or a browser: more of them than cores keep both busy.
    maxWorkers: 3,
    // A browser on an overloaded machine may miss its moment once; what fails twice is broken.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        ...server,
        test: {
          name: 'unit',
          include: ['api/src/**/*.test.ts', 'sdk/src/**/*.test.ts'],
          ...shared,
        },
      },
      {
        ...server,
        test: {
          name: 'server',
          include: ['api/test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'console/test/**/*.test.ts'],
          exclude: [kills, speed],
          globalSetup: ['api/test/kit/global-setup.ts'],
          ...shared,
        },
      },
      {
        ...server,
        test: {
          name: 'streams, the general way',
          include: streams,
          globalSetup: ['api/test/kit/global-setup.ts'],
          env: { ORACLE_TEST_GENERAL_WAY: 'yes' },
          ...shared,
        },
      },
      // After all others, one after the other: servers that are killed and started side by side take the whole machine,
      // and what else runs at the same time would be measured as well.
      ...[kills, speed].map((file, index) => ({
        ...server,
        test: {
          name: index === 0 ? 'kills' : 'speed',
          include: [file],
          globalSetup: ['api/test/kit/global-setup.ts'],
          ...shared,
          sequence: { groupOrder: index + 1 },
        },
      })),
      {
        root,
        // Reactivity exists in Solid's browser build only.
        resolve: { conditions: ['oracle-source', 'browser', 'development'] },
        ssr: { resolve: { conditions: ['oracle-source', 'browser', 'development'] } },
        test: {
          name: 'console',
          include: ['console/src/**/*.test.ts'],
          server: { deps: { inline: [/solid-js/] } },
        },
      },
    ],
  },
});
