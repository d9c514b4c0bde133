import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../kit/model-replies.ts';
import { personWithNotes, scriptBoth, searchFor } from '../librarian/librarian-kit.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

const exporter = new InMemorySpanExporter();
let kit: OracleKit;
beforeAll(async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  kit = await startOracleKit();
});
afterEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  await kit.stop();
});

/** Each with those below it, in the order in which they began. */
interface Tree {
  readonly name: string;
  readonly below: readonly Tree[];
}

function treesOf(spans: readonly ReadableSpan[], parent?: string): readonly Tree[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
    .toSorted((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
    .map((span) => ({ name: span.name, below: treesOf(spans, span.spanContext().spanId) }));
}

const leaf = (name: string): Tree => ({ name, below: [] });
const branch = (name: string, ...below: readonly Tree[]): Tree => ({ name, below });
const named = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);
const chat = (model = 'scripted') => leaf(`chat openai/${model}`);

describe('the spans of a run on a server', () => {
  it('follow its events: the agent, its turns, and in these the model calls and tools', async () => {
    const user = await kit.newUser();
    kit.script(
      calling([
        { id: 'a', name: 'vault_search', arguments: { query: 'secret words' } },
        { id: 'b', name: 'vault_read', arguments: { path: 'none' } },
      ]),
      reply.text('Secret words, too.', { usage: { input: 300, output: 5 } }),
    );
    const told = await kit.ask(user, { question: 'What is secret?' });
    const spans = exporter.getFinishedSpans();

    expect(treesOf(spans)).toEqual([
      branch(
        'invoke_agent oracle',
        branch('turn', chat(), leaf('execute_tool vault_search'), leaf('execute_tool vault_read')),
        branch('turn', chat()),
      ),
    ]);
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(named('invoke_agent oracle')?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'oracle',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'gen_ai.conversation.id': told.conversationId,
      'session.id': told.conversationId,
      'user.id': user.id,
      'oracle.run.id': told.runId,
      'oracle.project.id': expect.any(String),
      'oracle.run.reason': 'COMPLETED',
      'oracle.run.turns': 2,
      'oracle.run.tokens': 335,
    });
    const calls = spans.filter(({ name }) => name === 'chat openai/scripted');
    expect(calls.map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT]);
    expect(calls[1]?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 300,
      'gen_ai.usage.output_tokens': 5,
    });
    expect(named('execute_tool vault_search')?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'vault_search',
      'gen_ai.tool.call.id': 'a',
      'gen_ai.tool.type': 'function',
    });
    expect(named('execute_tool vault_read')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'tool_error' },
    });
    expect(JSON.stringify(spans.map(({ name, attributes, status }) => [name, attributes, status]))).not.toMatch(
      /secret/i,
    );
  });

  it('of the Librarian lie below the tool call whose result it reads', async () => {
    const user = await personWithNotes(kit, 12);
    scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], [reply.text('Herons come at dawn.')]);
    await kit.ask(user);

    expect(treesOf(exporter.getFinishedSpans())).toEqual([
      branch(
        'invoke_agent oracle',
        branch(
          'turn',
          chat(),
          branch('execute_tool vault_search', branch('invoke_agent librarian', branch('turn', chat('librarian')))),
        ),
        branch('turn', chat()),
      ),
    ]);
    expect(named('invoke_agent librarian')?.attributes).toMatchObject({
      'gen_ai.agent.name': 'librarian',
      'gen_ai.request.model': 'librarian',
      'oracle.run.reason': 'COMPLETED',
    });
  });

  it('of the Librarian lie below the call that gave it a task, with its own tools below it', async () => {
    const user = await personWithNotes(kit, 1);
    const task = (text: string) => ({ id: text, name: 'delegate_librarian', arguments: { task: text } });
    scriptBoth(
      kit,
      [calling([{ id: 'list', name: 'vault_list', arguments: {} }, task('Find herons.')]), reply.text('Done.')],
      [searchFor(2), reply.text('There is one.')],
    );
    await kit.ask(user);
    const librarian = branch(
      'invoke_agent librarian',
      branch('turn', chat('librarian'), leaf('execute_tool vault_search')),
      branch('turn', chat('librarian')),
    );

    expect(treesOf(exporter.getFinishedSpans())).toEqual([
      branch(
        'invoke_agent oracle',
        branch('turn', chat(), leaf('execute_tool vault_list'), branch('execute_tool delegate_librarian', librarian)),
        branch('turn', chat()),
      ),
    ]);
  });
});
