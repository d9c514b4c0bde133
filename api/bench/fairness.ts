import type { ContenderName, Contenders } from './contenders.ts';
import { measureDeliveries } from './delivery.ts';
import { measureDuringReplays } from './replays.ts';
import type { Section } from './report.ts';

const streams = 500;
const names = [
  'graphql-ws',
  'Oracle Agent, delivery over ws',
  'Oracle Agent, whole, over ws',
] as const satisfies readonly ContenderName[];

/** Nobody waits long for the first chunk because others are being served, nor for anything else. */
export async function benchFairness(databaseUrl: string, contenders: Contenders): Promise<Section> {
  const costs = await measureDeliveries(await contenders.get(names), { streams, warmUpMs: 4_000, rounds: 1 });
  const replays = await measureDuringReplays(databaseUrl);
  const p99 = (name: (typeof names)[number]) => costs[name].firstMs.p99;
  const share = (name: (typeof names)[number]) => (100 * p99(name)) / p99('graphql-ws');
  return {
    title: `Fairness: ${streams} streams asked for at once, no delay; then another person's settings during replays of ${replays.streams} runs`,
    rows: {
      ...Object.fromEntries(
        names.map((name) => [
          name,
          {
            'first chunk ms, median': costs[name].firstMs.median,
            'first chunk ms, p99': p99(name),
            '% of graphql-ws': share(name),
          },
        ]),
      ),
      [`settings, during replays of ${replays.chunks} chunks (${Math.round(replays.replayed / 1_000)} 000 sent)`]: {
        'first chunk ms, median': replays.medianMs,
        'first chunk ms, p99': replays.p99Ms,
      },
    },
    goals: [
      {
        what: `First chunk of ${streams} streams, p99, delivery, of graphql-ws`,
        measured: share('Oracle Agent, delivery over ws'),
        atMost: 10,
        unit: '%',
      },
      {
        what: `First chunk of ${streams} streams, p99, whole, of graphql-ws`,
        measured: share('Oracle Agent, whole, over ws'),
        atMost: 10,
        unit: '%',
      },
      { what: 'Settings during replays, p99', measured: replays.p99Ms, atMost: 100, unit: 'ms' },
    ],
  };
}
