import { Migration } from '@mikro-orm/migrations';

/** So that each page of a filtered list of runs is read from an index, in its order. */
export class RunLists extends Migration {
  override up(): void {
    this.addSql('create index runs_model on runs (model, started_at desc, id desc)');
    this.addSql('create index runs_user_id_model on runs (user_id, model, started_at desc, id desc)');
    this.addSql('create index runs_user_id_reason on runs (user_id, reason, started_at desc, id desc)');
    this.addSql(`create index runs_active_started_at on runs (started_at desc, id desc) where status = 'RUNNING'`);
  }

  override down(): void {
    this.addSql('drop index runs_model, runs_user_id_model, runs_user_id_reason, runs_active_started_at');
  }
}
