import type { Database } from './database.ts';
import { decodeText, encodeText } from './exact-text.ts';

/** After this nobody is likely to ask again, and the notes will have changed. */
const keptDays = 30;
/** As many as a project keeps; the oldest go first. */
const mostKept = 2_000;

/** The finished summaries of one person in one project. */
export class Summaries {
  constructor(
    private readonly database: Database,
    private readonly userId: string,
    private readonly projectId: string,
  ) {}

  async find(key: string): Promise<string | undefined> {
    const [row] = await this.database.fork().execute<{ summary: string }[]>(
      `select summary from summaries where user_id = ? and project_id = ? and key = ?
           and created_at > now() - interval '${keptDays} days'`,
      [this.userId, this.projectId, key],
    );
    return row && decodeText(row.summary);
  }

  async keep(key: string, summary: string): Promise<void> {
    const em = this.database.fork();
    await em.execute(
      `insert into summaries (user_id, project_id, key, summary) values (?, ?, ?, ?)
       on conflict (user_id, project_id, key) do update set summary = excluded.summary, created_at = now()`,
      [this.userId, this.projectId, key, encodeText(summary)],
    );
    await em.execute(
      `delete from summaries where user_id = ? and project_id = ? and created_at <= greatest(
         now() - interval '${keptDays} days',
         coalesce((select created_at from summaries where user_id = ? and project_id = ?
           order by created_at desc offset ${mostKept} limit 1), '-infinity'))`,
      [this.userId, this.projectId, this.userId, this.projectId],
    );
  }
}
