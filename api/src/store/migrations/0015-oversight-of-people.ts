import { Migration } from '@mikro-orm/migrations';

/** What a page of people shows of each one's last days is counted from the index alone, however many runs there are. */
export class OversightOfPeople extends Migration {
  override up(): void {
    this.addSql('create index runs_activity on runs (user_id, started_at) include (tokens)');
    this.addSql('create index setting_changes_version on setting_changes (user_id, setting_group, version)');
    this.addSql('create index users_role on users (role, id)');
    this.addSql('create index users_created_at on users (created_at, id)');
  }

  override down(): void {
    this.addSql('drop index runs_activity, setting_changes_version, users_role, users_created_at');
  }
}
