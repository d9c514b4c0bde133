import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { TerminationReason } from '../agent/termination.ts';
import type { EventBus } from '../events/bus.ts';
import type { PayloadOf, RunEvent } from '../events/event.ts';
import type { RunView } from '../events/run-events.ts';

/** What spans tell of a run beside its events: who and where, never what was said. */
export interface TracedRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly model: string;
  /** Of the Librarian. */
  readonly subagentModel: string;
}

const oracle = 'oracle';
const failures: ReadonlySet<TerminationReason> = new Set(['MODEL_ERROR', 'INTERRUPTED', 'ERROR_LIMIT']);

/**
 * The spans of one run, made of its events: agent, turn, model call and tool, a sub-agent below the tool call that it
 * works for. Named and described by OpenTelemetry's conventions for generative AI. Costs next to nothing unless a tracer
 * is registered.
 */
export class RunSpans {
  #main: AgentSpans | undefined;

  constructor(private readonly run: TracedRun) {}

  /** For the bus of the run, and of each sub-agent in it. */
  listen(bus: EventBus, { subAgent }: Pick<RunView, 'subAgent'>): void {
    const { name: agent, within } = subAgent ?? { name: oracle, within: undefined };
    const listening = bus.on('query.start', () => {
      bus.off(listening);
      const main = agent === oracle;
      const above = main ? context.active() : this.#main?.below(within);
      if (above === undefined) return; // the run itself is not recorded
      const spans = AgentSpans.start(agent, main ? this.run.model : this.run.subagentModel, this.#identity(), above);
      if (!spans) return;
      if (main) this.#main = spans;
      bus.on('*', (event) => spans.follow(event));
    });
  }

  #identity(): Attributes {
    const { runId, conversationId, userId, projectId } = this.run;
    return {
      'gen_ai.conversation.id': conversationId,
      'session.id': conversationId,
      'user.id': userId,
      'oracle.run.id': runId,
      'oracle.project.id': projectId,
    };
  }
}

/** The spans of one agent in a run. */
class AgentSpans {
  readonly #tracer: Tracer;
  readonly #agent: Span;
  readonly #inAgent: Context;
  readonly #model: Attributes;
  readonly #modelName: string;
  readonly #tools = new Map<string, Span>();
  #turn: { readonly span: Span; readonly within: Context } | undefined;
  #call: Span | undefined;

  private constructor(tracer: Tracer, agent: Span, above: Context, model: Attributes, modelName: string) {
    this.#tracer = tracer;
    this.#agent = agent;
    this.#inAgent = trace.setSpan(above, agent);
    this.#model = model;
    this.#modelName = modelName;
  }

  /** Undefined when nobody records it. */
  static start(name: string, model: string, identity: Attributes, above: Context): AgentSpans | undefined {
    const tracer = trace.getTracer('oracle-agent');
    const described = modelAttributes(model);
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': name,
      ...described,
      ...identity,
    };
    const span = tracer.startSpan(`invoke_agent ${name}`, { attributes }, above);
    return span.isRecording() ? new AgentSpans(tracer, span, above, described, model) : undefined;
  }

  /** Where that belongs which works for a tool call. */
  below(callId: string | undefined): Context {
    const tool = this.#tools.get(callId ?? '');
    const within = this.#turn?.within ?? this.#inAgent;
    return tool ? trace.setSpan(within, tool) : within;
  }

  follow(event: RunEvent): void {
    switch (event.name) {
      case 'agent.turn.start':
        this.#endTurn();
        this.#startTurn(event.turn);
        break;
      case 'model.call.start':
        this.#call = this.#start(`chat ${this.#modelName}`, { 'gen_ai.operation.name': 'chat', ...this.#model }, true);
        break;
      case 'model.call.failure':
        if (this.#call) fail(this.#call, event.payload.code);
        break;
      case 'model.call.end':
        this.#endCall(event.payload);
        break;
      case 'tool.call.pending':
        this.#startTool(event.payload);
        break;
      case 'tool.call.failure':
        this.#endTool(event.payload.callId, 'tool_error');
        break;
      case 'tool.call.timeout':
        this.#endTool(event.payload.callId, 'timeout');
        break;
      case 'tool.call.success':
        this.#endTool(event.payload.callId);
        break;
      case 'tool.call.not_run':
        this.#tools.get(event.payload.callId)?.setAttribute('oracle.tool.not_run', true);
        this.#endTool(event.payload.callId);
        break;
      case 'agent.turn.end':
        this.#endTurn();
        break;
      case 'session.end':
        this.#end(event.payload);
    }
  }

  #start(name: string, attributes: Attributes, remote = false): Span {
    const kind = remote ? SpanKind.CLIENT : SpanKind.INTERNAL;
    return this.#tracer.startSpan(name, { attributes, kind }, this.#turn?.within ?? this.#inAgent);
  }

  #startTurn(number: number): void {
    const span = this.#start('turn', { 'oracle.turn': number });
    this.#turn = { span, within: trace.setSpan(this.#inAgent, span) };
  }

  #startTool({ callId, tool }: PayloadOf<'tool.call.pending'>): void {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
    };
    this.#tools.set(callId, this.#start(`execute_tool ${tool}`, attributes));
  }

  #endCall({ inputTokens, outputTokens }: PayloadOf<'model.call.end'>): void {
    this.#call?.setAttributes({
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
    });
    this.#call?.end();
    this.#call = undefined;
  }

  #endTool(callId: string, error?: string): void {
    const span = this.#tools.get(callId);
    if (span && error !== undefined) fail(span, error);
    span?.end();
    this.#tools.delete(callId);
  }

  /** What a stop broke off ends with its turn. */
  #endTurn(): void {
    this.#call?.end();
    this.#call = undefined;
    for (const span of this.#tools.values()) span.end();
    this.#tools.clear();
    this.#turn?.span.end();
    this.#turn = undefined;
  }

  #end({ reason, turns, tokens }: PayloadOf<'session.end'>): void {
    this.#endTurn();
    this.#agent.setAttributes({ 'oracle.run.reason': reason, 'oracle.run.turns': turns, 'oracle.run.tokens': tokens });
    if (failures.has(reason)) fail(this.#agent, reason);
    this.#agent.end();
  }
}

/** The kind of an error, never its words: they may tell what somebody asked. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** `openrouter/anthropic/claude-sonnet` is a model of `openrouter`; one without a provider is our own. */
function modelAttributes(model: string): Attributes {
  const slash = model.indexOf('/');
  return {
    'gen_ai.provider.name': slash < 0 ? 'oracle-agent' : model.slice(0, slash),
    'gen_ai.request.model': model.slice(slash + 1),
  };
}
