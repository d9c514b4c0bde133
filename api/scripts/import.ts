/** `npm run import`: builds what is missing, then brings notes, code and threads in. See api/src/import. */
import { buildWhatIsStale } from './build.ts';
import { readEnvFile } from './env-file.ts';

readEnvFile();
buildWhatIsStale({ only: ['api'] });
await import(new URL('../dist/import/main.js', import.meta.url).href);
