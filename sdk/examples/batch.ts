// Answers many questions, three at a time: node batch.ts URL TOKEN QUESTION…
import { createOracleClient } from '@oracle-agent/sdk';

const [url = 'http://127.0.0.1:4000', token = '', ...questions] = process.argv.slice(2);
const oracle = createOracleClient({ url, token });
const waiting = questions.entries();

async function work(): Promise<void> {
  for (const [index, question] of waiting) {
    const { text, ending } = await oracle.ask({ question, config: { maxIterations: 5 } }).result();
    console.log(JSON.stringify({ index, question, reason: ending.reason, tokens: ending.usage.totalTokens, text }));
  }
}

await Promise.all([work(), work(), work()]);
oracle.close();
