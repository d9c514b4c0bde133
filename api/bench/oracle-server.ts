/** The product as a process of its own, with a model that answers without delay. Run by the benchmark. */
import { ensureFirstAdministrator } from '../src/access/first-administrator.ts';
import '../src/agent/default-tree.ts';
import { createLogger } from '../src/logger.ts';
import { actingModel } from '../src/models/acting-model.ts';
import { createModels } from '../src/models/model-registry.ts';
import { createRuns } from '../src/runs/runs.ts';
import { createServer } from '../src/server.ts';
import { followChanges } from '../src/store/changes.ts';
import { openDatabase } from '../src/store/database.ts';
import { answerMeasurements } from './measured-process.ts';
import { benchTools, deltasPerTurn, deltaText, turns } from './workload.ts';

const [url = '', token = ''] = process.argv.slice(2);
const log = createLogger('error');
const database = await openDatabase(url);
await database.migrate(async (em) => void (await ensureFirstAdministrator(em, token)));
const changes = await followChanges(url, log);

const model = actingModel(
  'bench',
  ({ turn }) =>
    turn < turns
      ? { text: deltaText.repeat(deltasPerTurn), calls: [{ name: 'look', input: { page: turn } }] }
      : { text: deltaText.repeat(deltasPerTurn) },
  { pace: 0 },
  { deltaLength: deltaText.length - 1 },
);
const server = createServer({
  database,
  changes,
  runs: await createRuns({ database, changes, log }),
  models: { ...createModels({}), find: () => model },
  tools: benchTools,
  log,
  defaultModel: 'bench',
  consoleFolder: '',
});
answerMeasurements(await server.listen(0, '127.0.0.1'));
