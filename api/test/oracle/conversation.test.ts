import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply, step } from '../kit/model-replies.ts';
import { calling, messagesOf, type OracleKit, searching, startOracleKit } from './kit/oracle-kit.ts';
import { readConversation, type Told } from './kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

/** Asks, is answered "Answer to …", and tells what the model was reminded of. */
async function exchange(question: string, from: { conversationId?: string; nodeId?: string } = {}) {
  const script = kit.script(reply.text(`Answer to ${question}`));
  const told = await kit.ask(user, { question, ...from });
  const [request] = script.requests();
  return { told, sent: request ? messagesOf(request).slice(1) : [] };
}

const asked = (question: string) => [
  ['user', question],
  ['assistant', `Answer to ${question}`],
];

describe('a conversation', () => {
  it('reaches the model from its root to its HEAD, in order, and then the question', async () => {
    const one = await exchange('one');
    const { conversationId } = one.told;
    const two = await exchange('two', { conversationId });
    const three = await exchange('three', { conversationId });
    const { title, headId, path, nodes } = await readConversation(user, conversationId);

    expect(one.sent).toEqual([['user', 'one']]);
    expect(two.sent).toEqual([...asked('one'), ['user', 'two']]);
    expect(three.sent).toEqual([...asked('one'), ...asked('two'), ['user', 'three']]);
    expect(title).toBe('one');
    expect(headId).toBe(three.told.nodeId);
    expect(path.map(({ id }) => id)).toEqual([one, two, three].map(({ told }) => told.nodeId));
    expect(path.map(({ parentId }) => parentId)).toEqual([null, one.told.nodeId, two.told.nodeId]);
    expect(nodes).toEqual(path);
  });

  it('branches from an earlier exchange; the other branch is kept and not told to the model', async () => {
    const one = await exchange('one');
    const { conversationId } = one.told;
    const two = await exchange('two', { conversationId });
    const branch = await exchange('another two', { conversationId, nodeId: one.told.nodeId });
    const onward = await exchange('three', { conversationId });
    const elsewhere = await exchange('by node alone', { nodeId: two.told.nodeId });
    const { headId, path, nodes } = await readConversation(user, conversationId);

    expect(branch.sent).toEqual([...asked('one'), ['user', 'another two']]);
    expect(onward.sent).toEqual([...asked('one'), ...asked('another two'), ['user', 'three']]);
    expect(elsewhere.sent).toEqual([...asked('one'), ...asked('two'), ['user', 'by node alone']]);
    expect(elsewhere.told.conversationId).toBe(conversationId);
    expect(headId).toBe(elsewhere.told.nodeId);
    expect(path.map(({ question }) => question)).toEqual(['one', 'two', 'by node alone']);
    expect(nodes.map(({ question }) => question)).toEqual(['one', 'two', 'another two', 'three', 'by node alone']);
  });

  it('marks answers that were cut off, to the model and in the tree', async () => {
    kit.script(reply.stream([step.text('Half a thought'), step.break()]));
    const broken = await kit.ask(user, { question: 'one' });
    kit.script().always(searching);
    const { conversationId } = broken;
    const limited = await kit.ask(user, { question: 'two', conversationId, config: { maxIterations: 2 } });
    const three = await exchange('three', { conversationId });
    const { path } = await readConversation(user, conversationId);

    expect(path.map(({ partial, ending }) => [partial, ending?.reason])).toEqual([
      [true, 'MODEL_ERROR'],
      [true, 'MAX_ITERATIONS'],
      [false, 'COMPLETED'],
    ]);
    expect(three.sent).toEqual([
      ['user', 'one'],
      ['assistant', expect.stringMatching(/^Half a thought\n\n\[.*cut off.*\]$/)],
      ['user', 'two'],
      ['assistant', expect.stringMatching(/2 of 2 turns used.*cut off/s)],
      ['user', 'three'],
    ]);
    expect(limited.exchange.answer).not.toContain('cut off');
  });

  it('goes on after an exchange without a single word', async () => {
    kit.script(reply.error(401));
    const { conversationId } = await kit.ask(user, { question: 'one' });
    const two = await exchange('two', { conversationId });

    expect(two.sent).toHaveLength(3);
    expect(two.sent[1]?.[0]).toBe('assistant');
    expect(two.sent[1]?.[1]).not.toBe('');
  });

  it.each(['', ' \n '])('goes on after a complete answer that says nothing (%j)', async (nothing) => {
    kit.script(reply.text(nothing));
    const first = await kit.ask(user, { question: 'one' });
    const two = await exchange('two', { conversationId: first.conversationId });

    expect(first.reason).toBe('COMPLETED');
    expect(two.sent[1]).toEqual(['assistant', expect.stringMatching(/\S/)]);
  });

  it('does not repeat tool calls of earlier exchanges, only what was asked and answered', async () => {
    kit.script(calling('welcome', { text: 'Looking. ' }), reply.text('Found it.'));
    const { conversationId } = await kit.ask(user, { question: 'one' });
    const two = await exchange('two', { conversationId });

    expect(two.sent).toEqual([
      ['user', 'one'],
      ['assistant', 'Looking. Found it.'],
      ['user', 'two'],
    ]);
  });

  it('is told to the model as far back as the user’s setting reaches', async () => {
    await user.ask('mutation { updateModelSettings(input: { maxContextNodes: 5 }) { __typename } }');
    let last: Told | undefined;
    for (const question of ['1', '2', '3', '4', '5', '6']) {
      last = (await exchange(question, last ? { conversationId: last.conversationId } : {})).told;
    }
    const { sent } = await exchange('7', { conversationId: last?.conversationId ?? '' });

    expect(sent).toEqual([...['2', '3', '4', '5', '6'].flatMap(asked), ['user', '7']]);
  });

  it('shows the exchange under way as far as it is written', async () => {
    kit.script(reply.stream([step.text('So far '), step.text('so good'), step.hang()]));
    const stream = kit.open(user, { question: 'one' });
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ContentChunk' && chunk.text === 'so good');
    const { run } = await user.ask<{ run: { status: string; conversationId: string; ending: unknown } }>(
      'query ($runId: ID!) { run(id: $runId) { status conversationId ending { reason } } }',
      { runId },
    );
    const { nodes } = await readConversation(user, run.conversationId);
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(run).toMatchObject({ status: 'RUNNING', ending: null });
    expect(nodes).toMatchObject([{ question: 'one', answer: 'So far so good', partial: true, ending: null }]);
    expect(told.text).toBe('So far so good');
  });

  it('keeps the project it began with', async () => {
    await user.ask('{ projects { id } }');
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');
    kit.script(
      calling([{ name: 'vault_write', arguments: { path: 'kept.md', body: '# Kept\n\nremembered' } }]),
      reply.text('Noted.'),
    );
    const { conversationId } = await kit.ask(user, { projectId: projects[0]?.id ?? '' });
    kit.script(calling([{ name: 'vault_read', arguments: { path: 'kept.md' } }]), reply.text('Read.'));
    const next = await kit.ask(user, { conversationId });

    expect(next.of('ToolResultChunk')).toMatchObject([{ ok: true, result: { path: 'kept.md' } }]);
    expect(next.of('SourceChunk')).toMatchObject([{ kind: 'VAULT', path: 'kept.md' }]);
  });
});
