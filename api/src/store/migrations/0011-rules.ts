import { Migration } from '@mikro-orm/migrations';

/**
 * Rules that administrators write, with every version of them; who has switched which rule on or off (nobody's switch is
 * the organisation's); what rules remember; and what they did in runs. A rule is named by its id, also when it is built in
 * or lies in a file, which is why that refers to no table.
 */
export class Rules extends Migration {
  override up(): void {
    this.addSql(`create table rule_versions (
      rule_id text not null,
      version integer not null,
      text text,
      at timestamptz(3) not null default now(),
      actor_id uuid references users (id) on delete set null,
      primary key (rule_id, version)
    )`);
    this.addSql(`create table organisation_rules (
      rule_id text primary key,
      version integer not null,
      text text not null,
      foreign key (rule_id, version) references rule_versions (rule_id, version)
    )`);
    this.addSql(`create table rule_switches (
      rule_id text not null,
      user_id uuid references users (id) on delete cascade,
      enabled boolean not null,
      at timestamptz(3) not null default now(),
      actor_id uuid references users (id) on delete set null,
      constraint rule_switches_one unique nulls not distinct (rule_id, user_id)
    )`);
    this.addSql('create index rule_switches_user_id on rule_switches (user_id)');
    this.addSql(`create table rule_state (
      user_id uuid not null references users (id) on delete cascade,
      project_id uuid not null references projects (id) on delete cascade,
      rule_id text not null,
      key text not null,
      value jsonb not null,
      updated_at timestamptz(3) not null default now(),
      primary key (user_id, project_id, rule_id, key)
    )`);
    this.addSql('create index rule_state_project_id on rule_state (project_id)');
    this.addSql(`create table rule_firings (
      run_id uuid not null references runs (id) on delete cascade,
      number integer not null,
      rule_id text not null,
      user_id uuid not null references users (id) on delete cascade,
      turn integer not null,
      at timestamptz(3) not null,
      trigger text not null,
      effect jsonb,
      error text,
      primary key (run_id, number)
    )`);
    this.addSql('create index rule_firings_rule_id on rule_firings (rule_id, at desc, run_id desc, number desc)');
    this.addSql(
      'create index rule_firings_user_id on rule_firings (rule_id, user_id, at desc, run_id desc, number desc)',
    );
    this.addSql('create index rule_firings_owner on rule_firings (user_id)');
  }

  override down(): void {
    this.addSql('drop table rule_firings, rule_state, rule_switches, organisation_rules, rule_versions');
  }
}
