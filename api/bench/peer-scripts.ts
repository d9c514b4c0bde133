/** A peer: what to install, and a script that prints the CPU microseconds of a turn for each number of turns given. */
export interface PeerScript {
  readonly name: string;
  readonly packages: readonly string[];
  readonly script: string;
}

/**
 * `agent(turns)` runs one run of so many turns, and counts in `asked` how often the model was; it is left to each
 * script. As our own loop, it is at work for a while first, and the best of some rounds counts.
 */
const measuring = `
  async function run(turns) {
    asked = 0;
    await agent(turns);
    if (asked !== turns) throw new Error('The model was asked ' + asked + ' times, not ' + turns + '.');
  }
  const costs = {};
  for (const until = performance.now() + 4000; performance.now() < until; ) await run(15);
  for (const turns of process.argv.slice(2).map(Number)) {
    const times = Math.max(2, Math.ceil(200 / turns));
    costs[turns] = Infinity;
    for (let round = 0; round < 4; round += 1) {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time += 1) await run(turns);
      const { user, system } = process.cpuUsage(before);
      costs[turns] = Math.min(costs[turns], (user + system) / (times * turns));
    }
  }
  console.log(JSON.stringify(costs));
  process.exit(0);`;

/** The workload of the benchmark as a model of the AI SDK. */
const aiModel = `
  let asked = 0;
  const delta = { type: 'text-delta', id: 'text', delta: 'a word or two ' };
  const usage = {
    inputTokens: { total: 100, noCache: undefined, cacheRead: 0, cacheWrite: undefined },
    outputTokens: { total: 100, text: undefined, reasoning: 0 },
  };
  const modelOf = (turns) => {
    let turn = 0;
    return {
      specificationVersion: 'v4', provider: 'bench', modelId: 'bench', supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('streams only')),
      doStream: async () => {
        asked += 1;
        turn += 1;
        const last = turn >= turns;
        const parts = [
          { type: 'stream-start', warnings: [] }, { type: 'text-start', id: 'text' },
          ...Array.from({ length: 31 }, () => delta), { type: 'text-end', id: 'text' },
          ...(last ? [] : [{ type: 'tool-call', toolCallId: 'call-' + turn, toolName: 'look', input: JSON.stringify({ page: turn }) }]),
          { type: 'finish', usage, finishReason: last ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' } },
        ];
        return { stream: new ReadableStream({ start(c) { for (const part of parts) c.enqueue(part); c.close(); } }) };
      },
    };
  };`;

/** Mastra's own server, with one agent. Answers the benchmark as its own processes do. */
export const mastraServer: PeerScript = {
  name: 'Mastra server',
  packages: ['@mastra/core', '@mastra/hono', 'hono', '@hono/node-server', 'zod@4'],
  script: `
  import { serve } from '@hono/node-server';
  import { Agent } from '@mastra/core/agent';
  import { Mastra } from '@mastra/core';
  import { createTool } from '@mastra/core/tools';
  import { MastraServer } from '@mastra/hono';
  import { Hono } from 'hono';
  import { z } from 'zod';
  ${aiModel}
  const look = createTool({ id: 'look', description: 'Looks.', inputSchema: z.object({ page: z.number() }), execute: async () => 'page' });
  const bench = new Agent({
    id: 'bench', name: 'bench', instructions: 'Answer.', tools: { look },
    model: () => ({ ...modelOf(Number(process.argv[2])), specificationVersion: 'v2' }),
  });
  const app = new Hono();
  await new MastraServer({ app, mastra: new Mastra({ agents: { bench }, logger: false }) }).init();
  process.on('message', ({ wanted }) => {
    const { user, system } = process.cpuUsage();
    if (wanted === 'cpu') process.send({ cpu: user + system });
  });
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => process.exit(0));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send({ url: 'http://127.0.0.1:' + port }));`,
};

export const peerScripts: readonly PeerScript[] = [
  {
    name: 'AI SDK',
    packages: ['ai@7', 'zod@4'],
    script: `
  import { isStepCount, streamText, tool } from 'ai';
  import { z } from 'zod';
  ${aiModel}
  const look = tool({ description: 'Looks.', inputSchema: z.object({ page: z.number() }), execute: async ({ page }) => 'page ' + page });
  async function agent(turns) {
    const { stream } = streamText({ model: modelOf(turns), tools: { look }, prompt: 'Why?', stopWhen: isStepCount(turns) });
    for await (const _part of stream);
  }
  ${measuring}`,
  },
  {
    name: 'OpenAI Agents',
    packages: ['@openai/agents', 'zod@4'],
    script: `
  import { Agent, Runner, tool, Usage, setTracingDisabled } from '@openai/agents';
  import { z } from 'zod';
  setTracingDisabled(true);
  let asked = 0;
  const look = tool({ name: 'look', description: 'Looks.', parameters: z.object({ page: z.number() }), execute: async ({ page }) => 'page ' + page });
  const modelOf = (turns) => {
    let turn = 0;
    return {
      getResponse: () => Promise.reject(new Error('streams only')),
      async *getStreamedResponse() {
        asked += 1;
        turn += 1;
        for (let n = 0; n < 31; n += 1) yield { type: 'output_text_delta', delta: 'a word or two ' };
        const text = { type: 'message', role: 'assistant', status: 'completed', id: 'm' + turn, content: [{ type: 'output_text', text: 'a word or two '.repeat(31) }] };
        const call = { type: 'function_call', id: 'f' + turn, callId: 'call-' + turn, name: 'look', status: 'completed', arguments: JSON.stringify({ page: turn }) };
        yield { type: 'response_done', response: { id: 'r' + turn, usage: { inputTokens: 100, outputTokens: 100, totalTokens: 200 }, output: turn < turns ? [text, call] : [text] } };
      },
    };
  };
  async function agent(turns) {
    const runner = new Runner({ tracingDisabled: true });
    const result = await runner.run(new Agent({ name: 'bench', instructions: 'Answer.', tools: [look], model: modelOf(turns) }), 'Why?', { stream: true, maxTurns: turns + 1 });
    for await (const _event of result);
    await result.completed;
  }
  ${measuring}`,
  },
  {
    name: 'LangGraph',
    packages: ['@langchain/langgraph', '@langchain/core', 'zod@4'],
    script: `
  import { MessagesAnnotation, StateGraph, START, END } from '@langchain/langgraph';
  import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
  let asked = 0;
  async function agent(turns) {
    let turn = 0;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async () => {
        asked += 1;
        turn += 1;
        let text = '';
        for (let n = 0; n < 31; n += 1) text += 'a word or two ';
        const tool_calls = turn < turns ? [{ id: 'call-' + turn, name: 'look', args: { page: turn } }] : [];
        return { messages: [new AIMessage({ content: text, tool_calls })] };
      })
      .addNode('tools', async ({ messages }) => ({
        messages: messages.at(-1).tool_calls.map(({ id, args }) => new ToolMessage({ tool_call_id: id, content: 'page ' + args.page })),
      }))
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls.length > 0 ? 'tools' : END))
      .addEdge('tools', 'model')
      .compile();
    const stream = await graph.stream({ messages: [new HumanMessage('Why?')] }, { streamMode: 'updates', recursionLimit: turns * 2 + 5 });
    for await (const _update of stream);
  }
  ${measuring}`,
  },
  {
    name: 'Mastra',
    packages: ['@mastra/core', 'zod@4'],
    script: `
  import { Agent } from '@mastra/core/agent';
  import { createTool } from '@mastra/core/tools';
  import { z } from 'zod';
  ${aiModel}
  const look = createTool({ id: 'look', description: 'Looks.', inputSchema: z.object({ page: z.number() }), execute: async () => 'page' });
  async function agent(turns) {
    const model = { ...modelOf(turns), specificationVersion: 'v2' };
    const bench = new Agent({ id: 'bench', name: 'bench', instructions: 'Answer.', model, tools: { look } });
    const result = await bench.stream('Why?', { maxSteps: turns });
    for await (const _part of result.fullStream);
  }
  ${measuring}`,
  },
];
