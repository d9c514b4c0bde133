import { isIdentifier } from '../access/identifier.ts';
import { reminderSubscriber, type SelfNotice } from '../events/self-notices.ts';
import type { Priority } from '../events/subscriber.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Notice } from '../store/entities/notice.ts';
import { decodeText, encodeText } from '../store/exact-text.ts';
import { Gathered } from '../store/gathered.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import type { Sql } from '../store/sql.ts';
import { type LeftOver, mostBetweenSessions } from './left-notices.ts';

export type InboxNotice = Readonly<Notice>;

/** Notices that outlive their run, and the inbox in which their person finds them. */
export class NoticeStore {
  readonly #claims: Gathered<Claim, readonly SelfNotice[]>;

  constructor(private readonly database: Database) {
    this.#claims = new Gathered((claims) => claimAll(database.sql, claims));
  }

  /** Takes what waits for this person and project. Whoever takes it first has it: it is delivered once, on one server. */
  async claim(userId: string, projectId: string, runId: string): Promise<readonly SelfNotice[]> {
    return (await this.#claims.find({ userId, projectId, runId })) ?? [];
  }

  /** What the run claimed and never got. */
  async giveBack(runId: string): Promise<void> {
    const statement = 'update notices set delivered_at = null, delivered_run_id = null where delivered_run_id = ?';
    await this.database.fork().execute(statement, [runId]);
  }

  /** Keeps for the next session what the run leaves over. Whoever has done so already, it is there once. */
  async keep({ userId, projectId, runId }: Claim, { back, fresh }: LeftOver): Promise<void> {
    const em = this.database.fork();
    await em.transactional(async (em) => {
      await em.execute(`set local lock_timeout = '1s'`);
      if (back.length > 0)
        await em.execute(
          `update notices set delivered_at = null, delivered_run_id = null
           where delivered_run_id = ? and id = any(?::uuid[])`,
          [runId, arrayOf(back)],
        );
      for (const { id, message, category, priority } of fresh) {
        await em.execute(
          `insert into notices (id, user_id, project_id, run_id, kind, category, priority, message, expires_at)
           values (?, ?, ?, ?, 'NOTICE', ?, ?, ?, clock_timestamp() + interval '24 hours') on conflict do nothing`,
          [id, userId, projectId, runId, category, priority, encodeText(message)],
        );
      }
      await em.execute(`delete from notices where user_id = ? and created_at < now() - interval '30 days'`, [userId]);
      await announce(em, { type: 'inbox-changed', userId });
    });
  }

  /** Newest first; expired ones that nobody was told of are gone. */
  inbox(
    userId: string,
    { unseenOnly, ...request }: PageRequest & { readonly unseenOnly: boolean },
  ): Promise<Page<InboxNotice>> {
    return pageOf(this.database.fork(), Notice, {
      ...request,
      where: {
        userId,
        ...(unseenOnly ? { seenAt: null } : {}),
        $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }],
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  async unseen(userId: string): Promise<number> {
    const [row] = await this.database.fork().execute<{ count: number }[]>(
      `select count(*)::int as count from notices
       where user_id = ? and seen_at is null and (expires_at is null or expires_at > clock_timestamp())`,
      [userId],
    );
    return row?.count ?? 0;
  }

  /** Marks as seen; all that are unseen when no ids are given. Foreign ids are as good as missing. Returns how many. */
  async acknowledge(userId: string, ids: readonly string[] | undefined): Promise<number> {
    const known = ids?.filter(isIdentifier);
    return this.#change(
      userId,
      `update notices set seen_at = clock_timestamp() where user_id = ? and seen_at is null
       and (?::uuid[] is null or id = any(?::uuid[])) returning id`,
      [userId, arrayOf(known), arrayOf(known)],
    );
  }

  /** Takes back what has not been delivered. False when it has been, or is not there. */
  async cancel(userId: string, id: string): Promise<boolean> {
    if (!isIdentifier(id)) return false;
    const statement = `delete from notices where user_id = ? and id = ? and kind = 'NOTICE' and delivered_at is null returning id`;
    return (await this.#change(userId, statement, [userId, id])) > 0;
  }

  /** The person has read the run to its end after all. */
  async runSeen(userId: string, runId: string): Promise<void> {
    const statement = `update notices set seen_at = clock_timestamp()
      where user_id = ? and run_id = ? and kind = 'RUN_ENDED' and seen_at is null returning id`;
    await this.#change(userId, statement, [userId, runId]).catch(() => undefined); // it then stays unseen
  }

  async #change(userId: string, statement: string, values: readonly unknown[]): Promise<number> {
    const em = this.database.fork();
    const rows = await em.execute<unknown[]>(statement, [...values]);
    if (rows.length > 0) await announce(em, { type: 'inbox-changed', userId });
    return rows.length;
  }
}

/** What waits for a run's person and project. */
interface Claim {
  readonly userId: string;
  readonly projectId: string;
  readonly runId: string;
}

async function claimAll(sql: Sql, claims: readonly Claim[]): Promise<ReadonlyMap<Claim, readonly SelfNotice[]>> {
  const values = [
    claims.map(({ userId }) => userId),
    claims.map(({ projectId }) => projectId),
    claims.map(({ runId }) => runId),
    mostBetweenSessions,
  ];
  const rows = await sql.query<ClaimedRow>('claim-notices', claimNotices, values);
  const claimed = new Map<Claim, SelfNotice[]>();
  for (const { place, message, ...row } of rows) {
    const claim = claims[place - 1];
    if (!claim) continue;
    const notices = claimed.get(claim) ?? [];
    claimed.set(claim, notices);
    notices.push({ ...row, message: decodeText(message), fromEarlier: true });
  }
  return claimed;
}

/**
 * Whoever comes first has all that waits for a person and project. People who have switched reminders off would not be
 * told, so that theirs go on waiting; that is found out first, since claiming is more than a look.
 */
const claimNotices = `
  with willing as materialized (
    select run.* from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as run (user_id, project_id, id, place)
    where not exists (
      select from notification_states s
      where s.user_id = run.user_id and s.subscriber = '${reminderSubscriber}' and not s.enabled
    )
    order by run.place
  )
  select run.place::int, claimed.*
  from willing run cross join lateral claim_notices(run.user_id, run.project_id, run.id, $4) as claimed`;

interface ClaimedRow {
  readonly place: number;
  readonly id: string;
  readonly message: string;
  readonly category: string;
  readonly priority: Priority;
}

function arrayOf(ids: readonly string[] | undefined): string | null {
  return ids === undefined ? null : `{${ids.join(',')}}`;
}
