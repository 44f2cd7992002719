import { sql, type Selectable } from 'kysely';
import type { Config } from '#platform/config/config.ts';
import type { AccountServers } from '#platform/database/layout/account-servers.ts';
import { accountChannel } from '#features/accounts/store/account-channel.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { listenerName } from '#platform/database/connection/listen.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { countWorkers } from '#platform/database/statements/count-workers.ts';

/** What the database tells about itself and its clients. */
export interface DatabaseState {
  readonly version: string;
  /** In bytes. */
  readonly size: number;
  readonly connections: number;
  readonly max_connections: number;
  /** API processes: each has one connection that listens for changes of accounts. */
  readonly api: number;
  /** Worker processes: each has one lease for its jobs. */
  readonly workers: number;
}

/** Reads the state of the database. */
export async function readDatabaseState(db: Database): Promise<DatabaseState> {
  const { rows } = await sql<Omit<DatabaseState, 'workers'>>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      count(*) as connections, current_setting('max_connections')::int as max_connections,
      count(*) filter (where datname = current_database() and application_name = ${listenerName(accountChannel)}) as api
    from pg_stat_activity where backend_type = 'client backend'`.execute(db);
  const state = rows[0]!;
  // Distributions add their own text to the version.
  return { ...state, version: state.version.split(' ')[0]!, workers: await countWorkers(db) };
}

/** Returns the size of the database on the nodes of a cluster that respond, in bytes; 0 on a single server. */
export async function sizeOfNodes({
  config,
  servers,
}: {
  readonly config: Pick<Config, 'layout' | 'databaseUrl'>;
  readonly servers: AccountServers;
}): Promise<number> {
  if (config.layout === 'single') return 0;
  const nodes = new Set((await servers.shards()).map(({ server }) => server));
  const sizes = await Promise.all(
    [...nodes].map(async ({ db, isDown, url }) => {
      if (isDown || url === config.databaseUrl) return 0;
      const query = sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(db);
      return query.then(
        ({ rows }) => rows[0]!.size,
        () => 0,
      );
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the names and settings of some accounts, by their ids. */
export async function accountsById(
  db: Database,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, Pick<Selectable<Tables['accounts']>, 'name' | 'settings'>>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('accounts')
    .where('account_id', 'in', accountIds)
    .select(['account_id', 'name', 'settings'])
    .execute();
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** Lists the last backups, newest first. */
export async function listBackupRuns(db: Database, limit: number): Promise<Selectable<Tables['backup_runs']>[]> {
  return db.selectFrom('backup_runs').selectAll().orderBy('started_at', 'desc').limit(limit).execute();
}
