import { readdir } from 'node:fs/promises';
import './agent/default-tree.ts';

/**
 * Registers every decision tree by importing each file of its folder, so that a new workflow is a new file and nothing
 * else. The folder lies at the same place beside this file in the sources and in the build, which therefore has the
 * trees as entry points of their own, sharing the registry with the server through common chunks.
 */
export async function loadDecisionTrees(): Promise<void> {
  const folder = new URL('./agent/trees/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => /^[\w-]+\.[jt]s$/.test(name)).sort();
  await Promise.all(files.map((name) => import(new URL(name, folder).href)));
}
