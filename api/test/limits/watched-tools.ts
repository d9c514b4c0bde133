import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createToolRegistry, type ToolRegistry } from '../../src/tools/registry.ts';
import { defineTool, type Tool, type ToolContext } from '../../src/tools/tool.ts';

/** Tools that do what their names say, and what was seen of them. */
export interface WatchedTools {
  readonly registry: ToolRegistry;
  /** Calls that reached a tool. */
  readonly executed: number;
  /** The most that were at work at once; one that was told to stop counts no more. */
  readonly mostAtOnce: number;
}

const input = z.object({ n: z.number().default(0) });
const timeoutMs = 40;

export function watchTools(): WatchedTools {
  let executed = 0;
  let atWork = 0;
  let mostAtOnce = 0;

  function watched(
    name: string,
    work: (n: number, context: ToolContext) => Promise<unknown>,
    more: Partial<Pick<Tool, 'timeoutMs' | 'repeatable'>> = {},
  ) {
    return defineTool({
      name,
      description: name,
      input,
      ...more,
      async run({ n }, context) {
        executed += 1;
        atWork += 1;
        mostAtOnce = Math.max(mostAtOnce, atWork);
        let counted = true;
        const leave = () => {
          if (counted) atWork -= 1;
          counted = false;
        };
        context.signal.addEventListener('abort', leave);
        return work(n, context).finally(leave);
      },
    });
  }

  const registry = createToolRegistry([
    watched('look', async (n, { cite }) => {
      cite({ kind: 'VAULT', path: `note-${n}.md` });
      return `page ${n}`;
    }),
    watched('fail', async (n) => Promise.reject(new Error(`Broken ${n}.`))),
    watched('poll', async (n) => `state ${n % 2}`, { repeatable: true }),
    watched('wait', async (n, { signal }) => {
      await pause(n * 3, undefined, { signal });
      return `waited ${n}`;
    }),
    /** Stops when it is told to, and not before. */
    watched('linger', (_n, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject))),
    /** Its own time is up long before the run's. */
    watched('dawdle', (_n, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)), {
      timeoutMs,
    }),
    /** Hears nothing. */
    watched('deaf', () => new Promise(() => undefined), { timeoutMs }),
    watched('deaf_for_ever', () => new Promise(() => undefined)),
  ]);

  return {
    registry,
    get executed() {
      return executed;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}
