import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { endPool } from './end-pool.ts';
import { CodeFile } from './entities/code-file.ts';
import { Conversation } from './entities/conversation.ts';
import { Exchange } from './entities/exchange.ts';
import { McpServer } from './entities/mcp-server.ts';
import { McpTool } from './entities/mcp-tool.ts';
import { Note } from './entities/note.ts';
import { Notice } from './entities/notice.ts';
import { Organisation } from './entities/organisation.ts';
import { Project } from './entities/project.ts';
import { RuleFiring } from './entities/rule-firing.ts';
import { Run } from './entities/run.ts';
import { SettingChange } from './entities/setting-change.ts';
import { Thread } from './entities/thread.ts';
import { ThreadEntry } from './entities/thread-entry.ts';
import { Token } from './entities/token.ts';
import { User } from './entities/user.ts';
import { UserSettings } from './entities/user-settings.ts';
import { PeopleAndSettings } from './migrations/0001-people-and-settings.ts';
import { Runs } from './migrations/0002-runs.ts';
import { VaultOfNotes } from './migrations/0003-vault.ts';
import { ConversationTrees } from './migrations/0004-conversation-trees.ts';
import { Knowledge } from './migrations/0005-knowledge.ts';
import { Code } from './migrations/0006-code.ts';
import { McpServers } from './migrations/0007-mcp-servers.ts';
import { Summaries } from './migrations/0008-summaries.ts';
import { RunLists } from './migrations/0009-run-lists.ts';
import { Notifications } from './migrations/0010-notifications.ts';
import { Rules } from './migrations/0011-rules.ts';
import { Usage } from './migrations/0013-usage.ts';
import { OversightOfPeople } from './migrations/0015-oversight-of-people.ts';
import { NoticesApart } from './migrations/0016-notices-apart.ts';
import { StartingRuns } from './migrations/0017-starting-runs.ts';
import { openSql, type Sql } from './sql.ts';

const hotConnections = 5;
const patienceWithConnection = 10_000;
/** Any number will do, as long as every server of this product takes the same one. */
const migrationLock = 7_239_481_502;

/** Nobody there, a wrong password, no such database, a certificate that is not trusted: whoever runs the server can mend it. */
export class DatabaseRefusal extends Error {
  override readonly name = 'DatabaseRefusal';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    super(`The database of DATABASE_URL cannot be used: ${message || code}.`, { cause });
  }
}

const migrations = [
  { name: '0001-people-and-settings', class: PeopleAndSettings },
  { name: '0002-runs', class: Runs },
  { name: '0003-vault', class: VaultOfNotes },
  { name: '0004-conversation-trees', class: ConversationTrees },
  { name: '0005-knowledge', class: Knowledge },
  { name: '0006-code', class: Code },
  { name: '0007-mcp-servers', class: McpServers },
  { name: '0008-summaries', class: Summaries },
  { name: '0009-run-lists', class: RunLists },
  { name: '0011-rules', class: Rules },
  { name: '0010-notifications', class: Notifications },
  { name: '0013-usage', class: Usage },
  { name: '0015-oversight-of-people', class: OversightOfPeople },
  { name: '0016-notices-apart', class: NoticesApart },
  { name: '0017-starting-runs', class: StartingRuns },
];

export interface Database {
  readonly url: string;
  /** A fresh unit of work; one for each request or event. */
  fork(): EntityManager;
  /** Without the ORM, for what every request asks: a fifth of the cost. */
  readonly sql: Sql;
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>;
  /**
   * Brings the schema up to date and prepares first data. Servers that start together take turns. Resolves with what a
   * newer version has changed before.
   */
  migrate(prepare: (em: EntityManager) => Promise<void>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openDatabase(url: string): Promise<Database> {
  /** There from the first use on. */
  let ormPool: pg.Pool | undefined;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [
      User,
      Token,
      UserSettings,
      Organisation,
      SettingChange,
      Conversation,
      Exchange,
      Run,
      Project,
      Note,
      Thread,
      ThreadEntry,
      McpServer,
      McpTool,
      CodeFile,
      RuleFiring,
      Notice,
    ],
    extensions: [Migrator],
    migrations: {
      migrationsList: migrations,
      snapshot: false,
    },
    pool: { min: 0, max: 15 },
    driverOptions: {
      connectionTimeoutMillis: patienceWithConnection,
      application_name: 'oracle-agent',
      onPoolCreated: (pool: pg.Pool) => {
        ormPool = pool;
      },
    },
    logger: () => undefined,
  });
  forgetDetails(orm);
  const sql = openSql(url, hotConnections, patienceWithConnection);
  return {
    url,
    fork: () => orm.em.fork(),
    sql,
    ping: async () => void (await orm.em.fork().execute('select 1')),
    migrate: (prepare) =>
      holdingLock(url, async () => {
        await orm.migrator.up();
        await prepare(orm.em.fork());
        const executed = await orm.migrator.getExecuted();
        return executed.map(({ name }) => name).filter((name) => !migrations.some((known) => known.name === name));
      }),
    // Closing the ORM itself would lose track of connections that are just being made, and wait for them for ever.
    close: async () => void (await Promise.all([ormPool && endPool(ormPool), sql.close()])),
  };
}

/** What PostgreSQL tells of a refused row is the row itself. It would become part of the message, and so of the log. */
function forgetDetails(orm: MikroORM): void {
  const converter = orm.em.getPlatform().getExceptionConverter();
  const convert = converter.convertException.bind(converter);
  converter.convertException = (error) => convert(Object.assign(error, { detail: undefined }));
}

/** A connection of its own holds the lock: it is given back even when this process is killed half-way. */
async function holdingLock<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const client = await connect(url).catch((error: unknown) => {
    throw new DatabaseRefusal(error);
  });
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    return await work();
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
