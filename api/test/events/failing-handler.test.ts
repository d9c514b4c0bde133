import { type Span, trace } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { type ModelServer, startModelServer } from '../kit/model-server.ts';
import { calling } from '../oracle/kit/oracle-kit.ts';
import { askOver } from '../oracle/kit/stream.ts';
import { settle } from '../oracle/kit/told.ts';

let kit: Kit;
let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
  kit = await startKit({ defaultModel: 'openai/scripted', providers: { ORACLE_OPENAI_BASE_URL: models.url } });
});
afterEach(() => trace.disable());
afterAll(async () => {
  await kit.stop();
  await models.stop();
});

/** A tracer of somebody's own, which listens to every run and is broken. */
function registerTracer(startSpan: (name: string) => Span): void {
  const startActiveSpan = () => {
    throw new Error('Nobody here asks for it.');
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) });
}

async function askTwoTurns() {
  const user = await kit.newUser();
  const from = kit.logs.length;
  models.script(
    calling([{ name: 'vault_read', arguments: { path: 'x1' } }]),
    calling([{ name: 'vault_read', arguments: { path: 'x2' } }]),
    reply.text('The answer.'),
  );
  const reader = { url: kit.url, user };
  const told = await settle(reader, await askOver(reader, {}).toEnd());
  const { run } = await user.ask<{ run: { events: { edges: { node: { name: string } }[] } } }>(
    'query ($id: ID!) { run(id: $id) { events(first: 100) { edges { node { name } } } } }',
    { id: told.runId },
  );
  const failures = kit.logs
    .slice(from)
    .map((line) => JSON.parse(line) as { readonly level: string; readonly runId?: string; readonly stack?: string })
    .filter(({ level }) => level === 'error');
  return { told, failures, events: run.events.edges.map(({ node }) => node.name) };
}

describe('a handler that throws', () => {
  it('is reported, and the run, its notices and its log go on as if it were not there', async () => {
    const plain = await askTwoTurns();
    const recording = { isRecording: () => true, spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }) };
    registerTracer((name) => {
      if (name === 'invoke_agent oracle') return recording as Span;
      throw new Error(`no span for ${name}`);
    });
    const { told, failures, events } = await askTwoTurns();

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'The answer.' });
    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(
      plain.told.system('NOTIFICATION').map(({ message }) => message),
    );
    expect(told.system('NOTIFICATION')).toHaveLength(1);
    expect(events).toEqual(plain.events);
    expect(plain.failures).toEqual([]);
    expect(failures.length).toBeGreaterThan(0);
    for (const { runId, stack } of failures) {
      expect(runId).toBe(told.runId);
      expect(stack).toMatch(/no span for|is not a function/);
    }
  });

  it('at the very beginning keeps no run from beginning', async () => {
    registerTracer(() => {
      throw new Error('no span at all');
    });
    const { told, failures } = await askTwoTurns();

    expect(told.reason).toBe('COMPLETED');
    expect(failures).toMatchObject([{ runId: told.runId, stack: expect.stringContaining('no span at all') }]);
  });
});
