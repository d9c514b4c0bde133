/**
 * The product as a process of its own, with a model that answers without delay. Run by the benchmark. With `fed`, runs
 * that are followed come from memory instead of from the log, so that delivery is measured without what comes before;
 * with `unstored`, nothing that runs say is stored.
 */
import { fileURLToPath } from 'node:url';
import { ensureFirstAdministrator } from '../src/access/first-administrator.ts';
import '../src/agent/default-tree.ts';
import { createLogger } from '../src/logger.ts';
import { createModels } from '../src/models/model-registry.ts';
import { SubscriberFiles } from '../src/notifications/subscriber-files.ts';
import { createRuns } from '../src/runs/runs.ts';
import { createServer } from '../src/server.ts';
import { followChanges } from '../src/store/changes.ts';
import { openDatabase } from '../src/store/database.ts';
import { followFromMemory } from './fed-log.ts';
import { answerMeasurements } from './measured-process.ts';
import { burst, type Pace, readPace } from './pace.ts';
import { forgetLogs } from './unstored-log.ts';
import { benchModel, benchTools } from './workload.ts';

const [url = '', token = '', source = 'log'] = process.argv.slice(2);
const log = createLogger('error');
const database = await openDatabase(url);
await database.migrate(async (em) => void (await ensureFirstAdministrator(em, token)));
const changes = await followChanges(url, log);
const runs = await createRuns({ database, changes, log });

let pace: Pace = burst;
if (source === 'fed') followFromMemory(runs.log, () => pace);
if (source === 'unstored') forgetLogs(runs, database.sql);
const model = benchModel(() => pace);
// Seen from where the benchmark puts what it builds.
const declared = (folder: string) => fileURLToPath(new URL(`../../../api/src/${folder}/`, import.meta.url));
const subscriberFiles = await SubscriberFiles.open({ builtIn: declared('events/subscribers'), own: '/nowhere' }, log);
const server = createServer({
  subscriberFiles,
  builtInRulesFolder: declared('rules/builtin'),
  database,
  changes,
  runs,
  models: { ...createModels({}), find: () => model },
  tools: benchTools,
  log,
  defaultModel: 'bench',
  consoleFolder: '',
});
answerMeasurements(await server.listen(0, '127.0.0.1'), (message) => {
  pace = readPace(message) ?? pace;
});
