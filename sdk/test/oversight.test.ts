import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOversight } from '../src/oversight.ts';
import { type OversightKit, startOversightKit } from './oversight-kit.ts';

let kit: OversightKit;
beforeAll(async () => {
  kit = await startOversightKit();
});
afterAll(() => kit.stop());

describe('the oversight of runs', () => {
  it('lists everybody’s, with who asked and how far they have come', async () => {
    await kit.client.ask({ question: 'What is known here?' }).result();
    const page = await kit.oversight.runs.list({ filter: { everyone: true } });

    expect(page.edges.map(({ node }) => node)).toMatchObject([{ user: { name: 'Ada' }, status: 'ENDED', turns: 1 }]);
    for await (const run of kit.oversight.runs.all({ filter: { everyone: true } })) {
      expect(run).toEqual(page.edges[0]?.node);
    }
  });

  it('tells when what happened', async () => {
    const { runId } = await kit.client.ask({ question: 'In circles?', model: 'simulated/loop' }).result();
    const turns = await kit.oversight.runs.timeline(runId);
    const detail = await kit.oversight.runs.turn(runId, 1);

    expect(turns?.length).toBeGreaterThan(1);
    expect(turns?.[0]?.calls.map(({ callId }) => callId)).toEqual(detail?.calls.map(({ callId }) => callId));
    expect(await kit.oversight.runs.turn(runId, 99)).toBeNull();
  });

  it('is told what changes', async () => {
    const heard: string[] = [];
    for await (const { reload, runs } of kit.oversight.runs.watch({ everyone: true })) {
      if (reload) void kit.client.ask({ question: 'And now?' }).result();
      heard.push(...runs.filter(({ status }) => status === 'ENDED').map(({ question }) => question));
      if (heard.length > 0) break;
    }

    expect(heard).toEqual(['And now?']);
  });
});

describe('the oversight of folders', () => {
  it('looks into those of notes and of code', async () => {
    const own = makeOversight(kit.client);
    await kit.client.notes.save({ path: 'depth/one.md', body: '# One' });
    await kit.client.code.save({ files: [{ path: 'src/one.ts', text: 'export {};' }] });

    const { edges } = await own.folders.notes({ path: 'depth' });
    expect(edges.map(({ node }) => node)).toMatchObject([{ path: 'depth/one.md', isFolder: false, title: 'One' }]);
    expect((await own.folders.code()).edges[0]?.node).toMatchObject({ path: 'src', isFolder: true, files: 1 });
  });
});

describe('the oversight of usage', () => {
  it('adds up what was used, and asks what other limits would have changed', async () => {
    await kit.client.ask({ question: 'What is used here?' }).result();
    const now = Date.now();
    const range = { from: new Date(now - 86_400_000).toISOString(), until: new Date(now + 86_400_000).toISOString() };
    const report = await kit.oversight.usage.over({
      filter: { everyone: true },
      range,
      bucket: 'DAY',
      timeZone: 'UTC',
    });
    const whatIf = await kit.oversight.usage.whatIf({ filter: { everyone: true }, limits: { maxIterations: 50 } });

    expect(report.total.runs).toBeGreaterThan(0);
    expect(report.users.map(({ name }) => name)).toContain('Ada');
    expect(whatIf).toMatchObject({ runs: report.total.runs, earlier: [] });
  });
});

describe('notifications', () => {
  it('can be listed, switched, read and acknowledged', async () => {
    const { runId } = await kit.client.ask({ question: 'What happened?' }).result();
    const own = makeOversight(kit.client).notifications;
    const subscribers = await own.subscribers();

    expect(subscribers.map(({ id }) => id)).toContain('tool-failure');
    expect(await own.set({ id: 'tool-failure', enabled: false })).toMatchObject({ enabled: false });
    expect((await own.events(runId, { name: 'session.end' }))?.edges).toHaveLength(1);
    expect(await kit.oversight.notifications.problems()).toEqual([]);
    expect((await own.inbox()).edges).toEqual([]);
    for await (const entry of own.all()) expect(entry).toBeUndefined();
    expect(await own.unseen()).toBe(0);
    const signal = AbortSignal.abort();
    for (const call of [own.subscribers, own.problems, own.unseen]) await expect(call({ signal })).rejects.toThrow();
    expect(await own.acknowledge()).toBe(0);
    expect(await own.acknowledge([])).toBe(0);
    expect(await own.cancel('none')).toBe(false);
    for await (const unseen of own.watch()) {
      expect(unseen).toBe(0);
      break;
    }
  });
});
