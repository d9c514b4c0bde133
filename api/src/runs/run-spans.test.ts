import { SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EventBus } from '../events/bus.ts';
import { RunSpans } from './run-spans.ts';

const exporter = new InMemorySpanExporter();
beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
});
afterEach(() => exporter.reset());
afterAll(() => trace.disable());

const run = {
  runId: 'r1',
  conversationId: 'c1',
  userId: 'u1',
  projectId: 'p1',
  model: 'openrouter/some/model',
  subagentModel: 'offline',
};
const call = { callId: 'c', tool: 'vault_search', arguments: {} };
const standing = { contextTokens: 1, messages: 1 };
const ended = { message: '', turns: 1, tokens: 7, durationMs: 1, ...standing };

function openBus(): EventBus {
  return new EventBus({ now: () => 0, turn: () => 1, reportFailure: (error) => expect(error).toBeUndefined() });
}

function begin(bus: EventBus): void {
  bus.emit('query.start', {
    ...{ maxIterations: 1, tokenBudget: 1, timeoutSeconds: 1, maxToolCallsPerTurn: 1, maxParallelTools: 1 },
    windowSize: 1,
  });
  bus.emit('agent.turn.start', { expectedInput: 1, messages: 1, tokensUsed: 0 });
}

const named = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

describe('the spans of a run', () => {
  it('end with what a stop broke off, and tell a failure by its kind alone', () => {
    const bus = openBus();
    new RunSpans(run).listen(bus, {});
    begin(bus);
    bus.emit('model.call.start', { expectedInput: 1, toolsOffered: true });
    bus.emit('tool.call.pending', call);
    bus.emit('tool.call.pending', { ...call, callId: 'late', tool: 'vault_read' });
    bus.emit('tool.call.timeout', { ...call, error: 'secret words', durationMs: 1 });
    bus.emit('session.end', { ...ended, reason: 'CANCELLED' });

    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
      'execute_tool vault_search',
      'chat openrouter/some/model',
      'execute_tool vault_read',
      'turn',
      'invoke_agent oracle',
    ]);
    expect(named('execute_tool vault_search')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'timeout' },
    });
    expect(named('chat openrouter/some/model')?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openrouter',
      'gen_ai.request.model': 'some/model',
    });
    expect(named('invoke_agent oracle')?.status.code).toBe(SpanStatusCode.UNSET);
    expect(JSON.stringify(exporter.getFinishedSpans().map((span) => [span.attributes, span.status]))).not.toContain(
      'secret',
    );
  });

  it('of a run that failed are marked as failed', () => {
    const bus = openBus();
    new RunSpans(run).listen(bus, {});
    begin(bus);
    bus.emit('model.call.start', { expectedInput: 1, toolsOffered: true });
    bus.emit('model.call.failure', { code: 'MODEL_ERROR', message: 'secret words', durationMs: 1 });
    bus.emit('session.end', { ...ended, reason: 'MODEL_ERROR' });

    for (const name of ['chat openrouter/some/model', 'invoke_agent oracle'])
      expect(named(name)).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'MODEL_ERROR' },
      });
  });

  it('of two sub-agents at work at the same time lie each below its own call', () => {
    const [bus, one, other] = [openBus(), openBus(), openBus()];
    const spans = new RunSpans(run);
    spans.listen(bus, {});
    begin(bus);
    bus.emit('tool.call.pending', call);
    bus.emit('tool.call.pending', { ...call, callId: 'd', tool: 'vault_list' });
    spans.listen(one, { subAgent: { name: 'librarian', within: 'd' } });
    spans.listen(other, { subAgent: { name: 'librarian', within: 'c' } });
    begin(one);
    one.emit('session.end', { ...ended, reason: 'COMPLETED' });
    begin(other);
    other.emit('session.end', { ...ended, reason: 'COMPLETED' });
    bus.emit('session.end', { ...ended, reason: 'COMPLETED' });
    const agents = exporter.getFinishedSpans().filter(({ name }) => name === 'invoke_agent librarian');

    expect(agents.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      named('execute_tool vault_list')?.spanContext().spanId,
      named('execute_tool vault_search')?.spanContext().spanId,
    ]);
    expect(agents[0]?.attributes).toMatchObject({
      'gen_ai.provider.name': 'oracle-agent',
      'gen_ai.request.model': 'offline',
    });
  });
});
