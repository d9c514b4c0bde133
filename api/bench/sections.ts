import { benchBurst } from './burst.ts';
import type { Contenders } from './contenders.ts';
import { benchFairness } from './fairness.ts';
import { benchFirstContent } from './first-content.ts';
import { benchHistory } from './history.ts';
import { benchLogDelay, benchLoop, benchRules, benchServerRules } from './loop-sections.ts';
import { benchMemory } from './memory.ts';
import { benchNotices } from './notices.ts';
import { benchPaced } from './paced.ts';
import { benchPeers } from './peers.ts';
import { benchReads } from './reads.ts';
import type { Section } from './report.ts';
import { benchSearch } from './search.ts';
import { benchSoak } from './soak.ts';

export interface BenchPart {
  readonly name: string;
  /** Whether it is measured when nothing else is said; `has` knows the options given. */
  readonly when?: (has: (option: string) => boolean) => boolean;
  /** Servers that several parts measure are started, and warmed up, once. */
  measure(databaseUrl: string, contenders: Contenders): Promise<Section>;
}

/** Without it, the whole takes three minutes. */
const isLong = (has: (option: string) => boolean) => has('all');

/** In the order in which they are measured and printed. */
export const sections: readonly BenchPart[] = [
  { name: 'burst', measure: benchBurst },
  { name: 'fairness', measure: benchFairness },
  { name: 'paced', measure: benchPaced }, // after the others: its servers keep the pace
  { name: 'first-content', measure: benchFirstContent },
  { name: 'memory', measure: benchMemory },
  { name: 'soak', when: (has) => has('soak'), measure: benchSoak },
  { name: 'loop', measure: benchLoop },
  { name: 'rules', measure: benchRules },
  { name: 'server-rules', when: isLong, measure: benchServerRules },
  { name: 'log', measure: benchLogDelay },
  { name: 'history', when: isLong, measure: benchHistory },
  { name: 'search', when: isLong, measure: benchSearch },
  { name: 'reads', when: (has) => isLong(has) || has('reads'), measure: benchReads },
  { name: 'notices', when: isLong, measure: benchNotices },
  { name: 'peers', when: (has) => has('peers'), measure: benchPeers },
];
