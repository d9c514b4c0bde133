import { Migration } from '@mikro-orm/migrations';

export class PeopleAndSettings extends Migration {
  override up(): void {
    this.addSql(`create table users (
      id uuid primary key,
      email text not null unique,
      name text not null,
      sort_name text generated always as (lower(name)) stored,
      role text not null default 'USER' check (role in ('USER', 'ADMIN')),
      created_at timestamptz(3) not null default now()
    )`);
    this.addSql('create index users_sort_name_id on users (sort_name, id)');
    this.addSql(`create table tokens (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      hash text not null unique,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    )`);
    this.addSql('create index tokens_user_id on tokens (user_id)');
    this.addSql(`create table user_settings (
      user_id uuid primary key references users (id) on delete cascade,
      agent_config jsonb not null default '{}',
      agent_config_version integer not null default 1,
      model_settings jsonb not null default '{}',
      model_settings_version integer not null default 1
    )`);
    this.addSql(`create table organisation (
      id integer primary key check (id = 1),
      agent_defaults jsonb not null default '{}',
      agent_ceilings jsonb not null default '{}',
      model_defaults jsonb not null default '{}',
      model_ceilings jsonb not null default '{}',
      version integer not null default 1,
      updated_at timestamptz(3)
    )`);
    this.addSql('insert into organisation (id) values (1)');
    this.addSql(`create table setting_changes (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default now(),
      actor_id uuid references users (id) on delete set null,
      user_id uuid references users (id) on delete cascade,
      setting_group text not null,
      layer text not null,
      field text not null,
      old_value jsonb,
      new_value jsonb,
      version integer not null
    )`);
    this.addSql('create index setting_changes_user_id_id on setting_changes (user_id, id)');
  }

  override down(): void {
    this.addSql('drop table setting_changes, organisation, user_settings, tokens, users');
  }
}
