import { randomUUID } from 'node:crypto';
import { ensureFirstAdministrator } from '../src/access/first-administrator.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { VaultService } from '../src/vault/vault-service.ts';
import { median } from './median.ts';
import type { Section } from './report.ts';

const sizes = { few: 200, many: 20_000 };
const mostGrowth = 10;
const rounds = 15;
const savedAtOnce = 1_000;

/** Of the words of the made-up vault, one that is nearly everywhere, common ones, rare ones, and an unfinished one. */
const questions = {
  'one common word': 'word2',
  'five common words': 'word2 word3 word5 word8 word13',
  'common and rare words': 'word2 word3 word1597 word2584',
  'a rare word': 'word2971',
  'an unfinished word': 'word14',
};

/** Searching in twenty thousand notes against searching in two hundred. */
export async function benchSearch(databaseUrl: string): Promise<Section> {
  const database = await openDatabase(databaseUrl);
  try {
    await database.migrate(async (em) => void (await ensureFirstAdministrator(em, undefined)));
    const vault = new VaultService(database);
    const few = await fill(database, vault, sizes.few);
    const many = await fill(database, vault, sizes.many);
    await database.fork().execute('analyze notes');
    const growths: number[] = [];
    const rows: Record<string, Record<string, number>> = {};
    for (const [name, query] of Object.entries(questions)) {
      const cost = await measure(vault, [few, many], query);
      const growth = (cost[1] ?? Number.NaN) / (cost[0] ?? Number.NaN);
      growths.push(growth);
      rows[name] = { '200 notes, ms': cost[0] ?? Number.NaN, '20 000 notes, ms': cost[1] ?? Number.NaN, ratio: growth };
    }
    return {
      title: 'Searching the vault: a hundred times as many notes',
      rows,
      goals: [
        {
          what: 'The worst search in 20 000 notes, against 200',
          measured: Math.max(...growths),
          atMost: mostGrowth,
        },
      ],
    };
  } finally {
    await database.close();
  }
}

/** By turns, so that whatever else the machine does falls on both. */
async function measure(vault: VaultService, projects: readonly string[], query: string): Promise<readonly number[]> {
  const times = projects.map((): number[] => []);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [index, projectId] of projects.entries()) {
      const before = performance.now();
      const hits = await vault.search(projectId, { query, limit: 5 });
      times[index]?.push(performance.now() - before);
      if (hits.length === 0 && projectId === projects[1]) throw new Error(`Nothing was found for ${query}.`);
    }
  }
  return times.map(median);
}

async function fill(database: Database, vault: VaultService, count: number): Promise<string> {
  const projectId = randomUUID();
  await database
    .fork()
    .execute('insert into projects (id, user_id, name) select ?, id, ? from users limit 1', [
      projectId,
      `${count} notes`,
    ]);
  for (let from = 0; from < count; from += savedAtOnce) {
    const notes = Array.from({ length: Math.min(savedAtOnce, count - from) }, (_, index) => noteOf(from + index));
    await vault.writeMany(projectId, notes);
  }
  return projectId;
}

/** Some words are in nearly every note and most in few, as in any language. The same in every run. */
function noteOf(number: number): { readonly path: string; readonly body: string } {
  let seed = number + 1;
  const word = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return `word${Math.floor(3_000 ** (seed / 2_147_483_647))}`;
  };
  const lines = Array.from({ length: 4 }, () => Array.from({ length: 8 }, word).join(' '));
  return { path: `${word()}/note-${number}.md`, body: `# About ${word()} ${word()}\n\n${lines.join('\n')}\n` };
}
