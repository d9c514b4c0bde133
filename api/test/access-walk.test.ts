import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { leafOf, nameOf, nameOfSlot, rootRoutes, type Slot } from './kit/walk/operations.ts';
import { populate } from './kit/walk/populate.ts';
import {
  type Answers,
  createWalker,
  type FoundId,
  inParallel,
  oneOfEach,
  type Visitor,
  type Walker,
} from './kit/walk/walker.ts';

/**
 * Written against no particular field: it reads the schema from the running server and tries everything in it that
 * takes an id with the ids of another person. New types and fields are walked without a change here.
 */

let kit: Kit;
let walker: Walker;
let victim: Visitor;
let attacker: Visitor;
let victimsIds: readonly FoundId[];
let before: { own: object; byAdmin: object };

beforeAll(async () => {
  kit = await startKit();
  walker = await createWalker(kit);
  const [one, other] = [await newVisitor('victim'), await newVisitor('attacker')];
  [victim, attacker] = await Promise.all([populate(walker, one), populate(walker, other)]);
  const seenByAdmin = walker.idsIn((await walker.look(admin(), victim.ids)).values());
  victimsIds = [...victim.ids, ...seenByAdmin].filter(({ value }) => value !== kit.admin.id);
  before = await snapshot();
}, 300_000);
afterAll(() => kit.stop());

const admin = (): Visitor => ({ token: kit.admin.token, mark: 'admin', ids: [] });
const stranger = (): Visitor => ({ token: undefined, mark: 'stranger', ids: [] });

async function newVisitor(role: string): Promise<Visitor> {
  const mark = `${role}-${randomBytes(8).toString('hex')}`;
  const { token }: TestUser = await kit.newUser({ name: `Name of ${mark}`, email: `${mark}@example.com` });
  return { token, mark, ids: [] };
}

/** All that can be known about the victim, without what changes by looking at it. */
async function snapshot() {
  const [own, byAdmin] = [await walker.crawl(victim), await walker.look(admin(), victimsIds)];
  const plain = (answers: Answers) =>
    JSON.parse(
      JSON.stringify(Object.fromEntries(answers), (key, value) =>
        /^last(Used|Seen)At$/.test(key) ? undefined : value,
      ),
    ) as object;
  return { own: plain(own), byAdmin: plain(byAdmin) };
}

/** An id like this one that nothing has. */
function missingLike(id: string): string {
  if (/^[0-9a-f-]{36}$/i.test(id)) return randomUUID();
  if (/^\d+$/.test(id)) return '999999999999';
  return id.replace(/[a-z0-9]/gi, 'q');
}

/** The answer without the id that was sent and without what is new every time. */
function withoutId(answer: Answer<unknown>, id: string): unknown {
  const pattern = id === '' ? undefined : new RegExp(`(?<![\\w-])${id.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'g');
  const clean = (text: string) =>
    (pattern ? text.replaceAll(pattern, '<id>') : text)
      .replaceAll(/\boracle_[\w-]{20,}/g, '<token>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return JSON.parse(
    JSON.stringify(answer, (_key, value) => {
      if (typeof value !== 'string') return value;
      return value === '' && id === '' ? '<id>' : clean(value);
    }),
  );
}

/** What of the victim's shows up in an answer, other than the id that was sent. */
function leaksIn(answer: unknown, sent?: string): readonly string[] {
  const text = JSON.stringify(answer) ?? '';
  const secrets = [victim.mark, ...victimsIds.map(({ value }) => value).filter((id) => id.length > 20 && id !== sent)];
  return [...new Set(secrets)].filter((secret) => text.includes(secret));
}

const malformed = ['', ' ', 'x', '-1', '0', '\0', 'a\0b', '名前🚀', '%', "' or 1=1 --", 'x'.repeat(20_000)];

describe('another person’s ids', () => {
  it('were collected: the walk sees what it is supposed to see', () => {
    expect(victimsIds.map(({ from }) => from)).toEqual(
      expect.arrayContaining([
        'User.id',
        'AccessToken.id',
        'SettingChange.id',
        'Run.id',
        'Conversation.id',
        'Exchange.id',
        'Note.id',
        'Project.id',
        'Thread.id',
        'ThreadEntry.id',
      ]),
    );
    expect(walker.slots.map(nameOfSlot)).toEqual(
      expect.arrayContaining([
        'query user(id:)',
        'mutation updateAgentConfig(input.userId:)',
        'mutation revokeToken(id:)',
      ]),
    );
    expect(walker.slots.map(nameOfSlot)).toContain('subscription settingsChanged(userId:)');
    expect(leaksIn(before.own)).toContain(victim.mark);
  });

  it('answer exactly like missing ones, in every place that takes an id', { timeout: 300_000 }, async () => {
    const differences: string[] = [];
    await inParallel(walker.slots, async (slot) => {
      for (const everything of [false, true]) {
        for (const { from, value } of oneOfEach(victimsIds)) {
          const foreign = await walker.send(attacker, slot, { everything, slot, id: value });
          const missing = await answerToMissing(slot, everything, missingLike(value));
          const label = `${nameOfSlot(slot)} with a foreign ${from}`;
          if (JSON.stringify(withoutId(foreign, value)) !== missing) {
            differences.push(`${label}: ${JSON.stringify(foreign)} instead of ${missing}`);
          }
          for (const leak of leaksIn(foreign, value)) differences.push(`${label}: tells ${leak}`);
        }
      }
    });

    expect(differences).toEqual([]);
  });

  it('that are malformed or spelled otherwise answer like missing ones too', { timeout: 300_000 }, async () => {
    const differences: string[] = [];
    const shouted = oneOfEach(victimsIds).map(({ value }) => value.toUpperCase());
    await inParallel(walker.slots, async (slot) => {
      const missing = await answerToMissing(slot, false, randomUUID());
      for (const id of [...malformed, ...shouted]) {
        const answer = await walker.send(attacker, slot, { slot, id });
        if (JSON.stringify(withoutId(answer, id)) !== missing) {
          differences.push(`${nameOfSlot(slot)} with ${JSON.stringify(id.slice(0, 40))}: ${JSON.stringify(answer)}`);
        }
      }
    });

    expect(differences).toEqual([]);
  });

  it('and texts are nowhere in what the other can reach', async () => {
    const crawled = await walker.crawl(attacker);
    expect(leaksIn([...crawled.values()])).toEqual([]);

    for (const route of walker.routes.filter(({ kind }) => kind === 'subscription')) {
      expect(leaksIn(await walker.send(attacker, route)), nameOf(route)).toEqual([]);
    }
  });

  it('still name what they named: nothing of the victim’s has changed', async () => {
    expect(await snapshot()).toEqual(before);
  });

  const toMissing = new Map<string, string>();
  /** The same for all ids of a form, so it is asked for once. */
  async function answerToMissing(slot: Slot, everything: boolean, id: string): Promise<string> {
    const key = `${nameOfSlot(slot)} ${everything} ${id.replaceAll(/\w/g, 'w')}`;
    const answer =
      toMissing.get(key) ?? JSON.stringify(withoutId(await walker.send(attacker, slot, { everything, slot, id }), id));
    toMissing.set(key, answer);
    return answer;
  }
});

describe('every root field', () => {
  it('is closed to those who are not signed in', async () => {
    const open: string[] = [];
    await inParallel(rootRoutes(walker.schema), async (route) => {
      const answer = await walker.send(stranger(), route);
      const shown = Object.values((answer.data ?? {}) as object).some((value) => value !== null);
      if (shown || codesOf(answer).join() !== 'UNAUTHENTICATED')
        open.push(`${nameOf(route)}: ${JSON.stringify(answer)}`);
    });

    expect(open).toEqual([]);
  });

  it('that is for administrators only, and no other, forbids itself to others', async () => {
    const refused: string[] = [];
    await inParallel(rootRoutes(walker.schema), async (route) => {
      const harmless = { ...attacker, ids: [] };
      if (codesOf(await walker.send(harmless, route)).includes('FORBIDDEN')) refused.push(nameOf(route));
    });

    const declared = rootRoutes(walker.schema).filter((route) =>
      leafOf(route).description?.includes('Administrators only.'),
    );
    expect(declared.length).toBeGreaterThan(2);
    expect(refused.toSorted()).toEqual(declared.map(nameOf).toSorted());
  });
});
