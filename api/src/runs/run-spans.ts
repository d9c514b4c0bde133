import { type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { EventBus } from '../events/bus.ts';
import type { RunEvent } from '../events/event.ts';

const tracer = trace.getTracer('oracle-agent');

/** Spans of one run, made of its events: run, turn, model call, tool. Costs next to nothing unless a tracer is registered. */
export function traceRun(runId: string): (bus: EventBus) => void {
  return (bus) => {
    const run = tracer.startSpan('run', { attributes: { 'run.id': runId } });
    if (!run.isRecording()) return;
    const inRun = trace.setSpan(context.active(), run);
    let turn: { readonly span: Span; readonly within: Context } | undefined;
    let model: Span | undefined;
    const tools = new Map<string, Span>();
    const endTurn = () => {
      model?.end();
      for (const span of tools.values()) span.end();
      tools.clear();
      turn?.span.end();
      [model, turn] = [undefined, undefined];
    };
    bus.on('*', (event: RunEvent) => {
      switch (event.name) {
        case 'agent.turn.start': {
          endTurn();
          const span = tracer.startSpan('turn', { attributes: { 'turn.number': event.turn } }, inRun);
          turn = { span, within: trace.setSpan(inRun, span) };
          break;
        }
        case 'model.call.start':
          model = tracer.startSpan('model call', {}, turn?.within ?? inRun);
          break;
        case 'model.call.failure':
          model?.setStatus({ code: SpanStatusCode.ERROR, message: event.payload.code });
          break;
        case 'model.call.end':
          model?.setAttribute('tokens.input', event.payload.inputTokens);
          model?.setAttribute('tokens.output', event.payload.outputTokens);
          model?.end();
          model = undefined;
          break;
        case 'tool.call.pending':
          tools.set(event.payload.callId, tracer.startSpan(`tool ${event.payload.tool}`, {}, turn?.within ?? inRun));
          break;
        case 'tool.call.failure':
        case 'tool.call.timeout':
          tools.get(event.payload.callId)?.setStatus({ code: SpanStatusCode.ERROR });
          endTool(tools, event.payload.callId);
          break;
        case 'tool.call.success':
        case 'tool.call.not_run':
          endTool(tools, event.payload.callId);
          break;
        case 'agent.turn.end':
          endTurn();
          break;
        case 'session.end':
          endTurn();
          run.setAttribute('run.reason', event.payload.reason);
          run.end();
      }
    });
  };
}

function endTool(tools: Map<string, Span>, callId: string): void {
  tools.get(callId)?.end();
  tools.delete(callId);
}
