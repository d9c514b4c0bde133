// A chat in the terminal: node terminal-chat.ts URL TOKEN
import { createInterface } from 'node:readline/promises';
import { type ConversationId, createOracleClient } from '@oracle-agent/sdk';

const [url = 'http://127.0.0.1:4000', token = ''] = process.argv.slice(2);
const oracle = createOracleClient({ url, token });
const terminal = createInterface({ input: process.stdin, output: process.stdout });
let conversationId: ConversationId | null = null;

process.stdout.write('> ');
for await (const question of terminal) {
  const run = oracle.ask({ question, conversationId });
  run.on('toolCall', ({ name, status }) => status === 'RUNNING' && console.log(`[${name}]`));
  run.on('system', ({ message }) => console.log(`! ${message}`));
  try {
    for await (const text of run.text) process.stdout.write(text);
    const { ending, sources, ...rest } = await run.result();
    ({ conversationId } = rest);
    console.log(`\n${sources.map(({ path }) => `  ${path}`).join('\n')}`);
    if (ending.reason !== 'COMPLETED') console.log(`(${ending.message})`);
  } catch (failure) {
    console.log(failure instanceof Error ? failure.message : failure);
  }
  process.stdout.write('> ');
}
oracle.close();
