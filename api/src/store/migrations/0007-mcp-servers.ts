import { Migration } from '@mikro-orm/migrations';

export class McpServers extends Migration {
  override up(): void {
    this.addSql(`create table mcp_servers (
      id uuid primary key,
      name text not null constraint mcp_servers_name unique,
      transport text not null check (transport in ('STDIO', 'HTTP')),
      command text,
      args jsonb not null default '[]',
      environment jsonb not null default '{}',
      url text,
      headers jsonb not null default '{}',
      timeout_seconds integer not null default 30,
      enabled boolean not null default true,
      everyone boolean not null default false,
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`);
    this.addSql(`create table mcp_access (
      server_id uuid not null references mcp_servers (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      primary key (server_id, user_id)
    )`);
    this.addSql('create index mcp_access_user_id on mcp_access (user_id)');
    this.addSql(`create table mcp_tools (
      server_id uuid not null references mcp_servers (id) on delete cascade,
      name text not null,
      local_name text not null,
      fingerprint text not null,
      definition text not null,
      approved_at timestamptz(3) not null default now(),
      approved_by uuid references users (id) on delete set null,
      primary key (server_id, name),
      unique (server_id, local_name)
    )`);
  }

  override down(): void {
    this.addSql('drop table mcp_tools, mcp_access, mcp_servers');
  }
}
