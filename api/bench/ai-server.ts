/** The AI SDK's loop and stream, with the same model and tool. Knows nobody, limits nothing and stores nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStepCount, pipeUIMessageStreamToResponse, streamText, tool, toUIMessageStream } from 'ai';
import { z } from 'zod';
import { answerMeasurements } from './measured-process.ts';
import { benchModel, turns } from './workload.ts';

const model = benchModel();
const tools = {
  look: tool({
    description: 'Looks at a page.',
    inputSchema: z.object({ page: z.number() }),
    execute: async ({ page }) => `page ${page}`,
  }),
};

const server = createServer((_request, response) => {
  const { stream } = streamText({ model, tools, prompt: 'Why?', stopWhen: isStepCount(turns) });
  void pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerMeasurements(`http://127.0.0.1:${port}`);
});
