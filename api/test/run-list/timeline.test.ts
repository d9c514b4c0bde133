import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { personWithNotes, scriptBoth, searchFor } from '../librarian/librarian-kit.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

const timelineOf = `query ($id: ID!, $turn: Int) { run(id: $id) { startedAt endedAt timeline(turn: $turn) {
  turn startedAt firstTokenAt modelEndedAt endedAt tokens
  calls { callId name agent status requestedAt startedAt endedAt durationMs arguments result error }
  agents { agent startedAt endedAt notes }
} } }`;

interface Turn {
  readonly turn: number;
  readonly startedAt: string;
  readonly firstTokenAt: string | null;
  readonly modelEndedAt: string | null;
  readonly endedAt: string | null;
  readonly tokens: number | null;
  readonly calls: readonly { readonly status: string; readonly [field: string]: unknown }[];
  readonly agents: readonly { readonly agent: string; readonly notes: readonly string[] }[];
}

interface Timeline {
  readonly run: { readonly startedAt: string; readonly endedAt: string | null; readonly timeline: readonly Turn[] };
}

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const read = async (id: string, turn?: number) => (await user.ask<Timeline>(timelineOf, { id, turn })).run;
const inOrder = (...times: readonly (string | null)[]) => expect(times).toEqual([...times].sort());

const searches = [
  { name: 'vault_search', arguments: { query: 'one' } },
  { name: 'vault_read', arguments: { path: 'nowhere.md' } },
];

describe('the timeline of a run', () => {
  it('tells of every turn its model call, first word, tools and tokens', async () => {
    kit.script(
      calling(searches, { text: 'Let me look.', usage: { input: 300, output: 40 } }),
      reply.text('There.', { usage: { input: 400, output: 10 } }),
    );
    const { runId } = await kit.ask(user);
    const { startedAt, endedAt, timeline } = await read(runId);
    const [first, second] = timeline;

    expect(timeline.map(({ turn, tokens }) => [turn, tokens])).toEqual([
      [1, 340],
      [2, 410],
    ]);
    expect(first?.calls).toMatchObject([
      { name: 'vault_search', agent: null, status: 'SUCCEEDED', arguments: { query: 'one' }, error: null },
      { name: 'vault_read', agent: null, status: 'FAILED', result: null, error: expect.stringContaining('nowhere.md') },
    ]);
    expect(second).toMatchObject({ calls: [], agents: [], firstTokenAt: expect.any(String) });
    inOrder(startedAt, first?.startedAt ?? null, first?.firstTokenAt ?? null, first?.modelEndedAt ?? null);
    inOrder(first?.endedAt ?? null, second?.startedAt ?? null, second?.modelEndedAt ?? null, endedAt);
    expect((await read(runId, 2)).timeline.map(({ turn }) => turn)).toEqual([2]);
    expect((await read(runId, 3)).timeline).toEqual([]);
  });

  it('is told while the run is under way', async () => {
    const gate = createGate();
    kit.script(reply.stream([step.text('Well'), step.wait(gate.opened), ...closing('stop')]));
    const asked = kit.open(user);
    const { runId } = await asked.until((chunk) => chunk.__typename === 'ContentChunk');

    expect((await read(runId)).timeline).toMatchObject([
      { turn: 1, firstTokenAt: expect.any(String), modelEndedAt: null, endedAt: null, tokens: null },
    ]);
    gate.open();
    await kit.settle(user, asked);
  });

  it('shows the work of the Librarian in the turn it was done in', async () => {
    const reader = await personWithNotes(kit, 12);
    scriptBoth(kit, [searchFor(12), reply.text('At dawn.')], [reply.text('Herons come at dawn.')]);
    const { runId } = await kit.ask(reader, { question: 'When do herons come?' });
    const { run } = await reader.ask<Timeline>(timelineOf, { id: runId });
    const [first, second] = run.timeline;

    expect(first?.agents).toMatchObject([
      { agent: 'librarian', notes: [expect.stringContaining('reads'), expect.stringContaining('summarised')] },
    ]);
    expect(second?.agents).toEqual([]);
  });

  it('is told of runs that an earlier version recorded', async () => {
    kit.script(calling(searches), reply.text('There.'));
    const { runId } = await kit.ask(user);
    const now = await read(runId);
    await kit.database.query(
      `update run_decisions set trace = (trace::jsonb - 'at' - 'seq' - 'tokens')::text where run_id = $1`,
      [runId],
    );
    const { timeline } = await read(runId);

    expect(timeline.map(({ turn, tokens }) => [turn, tokens])).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(timeline.flatMap(({ calls }) => calls)).toEqual(now.timeline.flatMap(({ calls }) => calls));
  });

  it('is nobody else’s', async () => {
    kit.script(reply.text('Mine.'));
    const { runId } = await kit.ask(user);
    const stranger = await kit.newUser();

    expect(await stranger.query(timelineOf, { id: runId })).toEqual({ data: { run: null } });
    expect((await kit.admin.ask<Timeline>(timelineOf, { id: runId })).run.timeline).toHaveLength(1);
  });
});
