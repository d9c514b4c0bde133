/** `npm start`: builds what is missing, then runs the server in this very process, so that signals reach it. */
import { buildWhatIsStale } from './build.ts';

buildWhatIsStale();
await import(new URL('../dist/main.js', import.meta.url).href);
