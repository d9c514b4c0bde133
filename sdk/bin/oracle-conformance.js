#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Inside the repository the package may not have been built yet; Node reads its sources just as well.
const built = new URL('../dist/conformance.js', import.meta.url);
const { main } = await import(existsSync(built) ? built.href : new URL('../src/conformance.ts', import.meta.url).href);
process.exitCode = await main(process.argv.slice(2), (line) => console.log(line));
