/** `npm run -s search-quality`: how often search finds the note that answers a labelled question about the sample vault. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureQuality } from '../bench/search-quality.ts';
import { ensureFirstAdministrator } from '../src/access/first-administrator.ts';
import { createLogger } from '../src/logger.ts';
import { openDatabase } from '../src/store/database.ts';
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { User } from '../src/store/entities/user.ts';
import { VaultService } from '../src/vault/vault-service.ts';

const scratch = await mkdtemp(join(tmpdir(), 'oracle-quality-'));
await chmod(scratch, 0o755); // root's PostgreSQL runs as somebody else
const postgres = await startEmbeddedPostgres({ dataDir: join(scratch, 'data'), log: createLogger('error') });
try {
  const database = await openDatabase(postgres.url);
  await database.migrate(async (em) => void (await ensureFirstAdministrator(em, undefined)));
  const vault = new VaultService(database);
  const { id: userId } = await database.fork().findOneOrFail(User, { role: 'ADMIN' });
  const project = await vault.defaultProject(userId);
  const quality = await measureQuality(vault, project.id);
  await database.close();
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(`questions    ${quality.questions}`);
  console.log(`hit-rate@1   ${percent(quality.hitRateAt1)}`);
  console.log(`hit-rate@5   ${percent(quality.hitRateAt5)}`);
  console.log(`MRR          ${quality.meanReciprocalRank.toFixed(3)}`);
  for (const { question, answer, place } of quality.missed)
    console.log(`  ${place === undefined ? 'not found' : `place ${place}`}: ${question} (${answer})`);
} finally {
  await postgres.stop();
  await rm(scratch, { recursive: true, force: true });
}
