import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, expect, it } from 'vitest';
import { EventBus } from '../events/bus.ts';
import { traceRun } from './run-spans.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
afterAll(() => trace.disable());

it('spans follow the events: run, turn, model call and tools, each within the one before', () => {
  const bus = new EventBus({ now: () => 0, turn: () => 1, onFailure: (error) => expect(error).toBeUndefined() });
  traceRun('r1')(bus);
  const call = { callId: 'c', tool: 'vault_search', arguments: {} };
  bus.emit('agent.turn.start', { expectedInput: 1, tokensUsed: 0 });
  bus.emit('model.call.start', { expectedInput: 1, toolsOffered: true });
  bus.emit('model.call.end', { inputTokens: 3, outputTokens: 4, calls: 1, complete: true, durationMs: 1 });
  bus.emit('tool.call.pending', call);
  bus.emit('tool.call.failure', { ...call, error: 'no', durationMs: 1 });
  bus.emit('session.end', { reason: 'CANCELLED', message: '', turns: 1, tokens: 7, durationMs: 1 });
  const spans = exporter.getFinishedSpans();
  const named = (name: string) => spans.find((span) => span.name === name);

  expect(spans.map(({ name }) => name)).toEqual(['model call', 'tool vault_search', 'turn', 'run']);
  expect(named('turn')?.parentSpanContext?.spanId).toBe(named('run')?.spanContext().spanId);
  expect(named('model call')?.parentSpanContext?.spanId).toBe(named('turn')?.spanContext().spanId);
  expect(named('tool vault_search')?.parentSpanContext?.spanId).toBe(named('turn')?.spanContext().spanId);
  expect(named('tool vault_search')?.status.code).toBe(2);
  expect(named('run')?.attributes).toEqual({ 'run.id': 'r1', 'run.reason': 'CANCELLED' });
});
