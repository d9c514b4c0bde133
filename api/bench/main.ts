/**
 * `npm run bench`: what delivery, the loop and reading cost, as multiples of the least that would do and of what others
 * do. Only ratios within one run mean anything. Ends with 1 when a goal is missed by more than twice. `--json` prints
 * everything for machines; `--only=burst,paced` measures these parts alone, `--quick` with
 * fewer rounds; `--profile` leaves profiles of the servers
 * in the folder for temporary files.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../src/logger.ts';
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { Contenders } from './contenders.ts';
import { type Goal, isBroken, isMet, printGoals, printSection, type Section } from './report.ts';
import { sections } from './sections.ts';

const has = (option: string) => process.argv.includes(`--${option}`);
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');

const mostStreams = 500;

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'oracle-bench-'));
  await chmod(scratch, 0o755); // root's PostgreSQL runs as somebody else
  const postgres = await startEmbeddedPostgres({ dataDir: join(scratch, 'data'), log: createLogger('error') });
  const contenders = new Contenders(postgres.url, mostStreams);
  const tidy = async () => {
    await contenders.stop();
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void tidy().then(() => process.exit(1)));
  try {
    const measured: Record<string, Section> = {};
    for (const { name, when = () => true, measure } of sections) {
      if (only ? !only.includes(name) : !when(has)) continue;
      const started = performance.now();
      const section = await measure(postgres.url, contenders);
      if (!has('json')) printSection(section, (performance.now() - started) / 1_000);
      measured[name] = section;
    }
    const goals = Object.values(measured).flatMap((section) => section.goals);
    if (has('json')) console.log(JSON.stringify({ sections: measured, goals: goals.map(verdict) }, undefined, 2));
    else printGoals(goals);
    process.exitCode = goals.some(isBroken) ? 1 : 0;
  } finally {
    await tidy();
  }
}

function verdict(goal: Goal) {
  return { ...goal, met: isMet(goal) };
}

await main();
