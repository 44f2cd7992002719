import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { Migrator, type Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { besideJobMigrations, migrateJobs } from './job-schema.ts';
import { openDatabase, openPool, type Database } from '../connection/database.ts';
import { findLineage, lineageRefusal, type Lineage } from './lineage.ts';
import { distributeTables } from '../layout/distribute.ts';
import { readLayout } from '../layout/layout.ts';
import { losingSettings } from '../statements/durability.ts';
import { countWorkers } from '../statements/count-workers.ts';
import { keepsSessions, lostSessions } from '../statements/kept-sessions.ts';
import { explainReadOnly, readOnlyReason } from '../statements/read-only.ts';
import { splitStatements } from '../statements/split-statements.ts';
import { MigrationError } from './migration-error.ts';
import { findRightsFault } from './schema-rights.ts';
import { findFoldingFault } from './text-folding.ts';

const directory = path.join(import.meta.dirname, 'migrations');

/** Lists the files of all migrations, in order. */
const fileNames = async (): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();

/** Lists the names of all migrations of this version, in order. */
export async function migrationNames(): Promise<string[]> {
  return (await fileNames()).map((name) => path.basename(name, '.sql'));
}

/** Loads all migrations by name: the SQL files of `migrations/`. */
async function migrations(): Promise<Record<string, Migration>> {
  const names = await fileNames();
  return Object.fromEntries(
    names.map((name) => [
      path.basename(name, '.sql'),
      {
        async up(db) {
          const script = await readFile(path.join(directory, name), 'utf8');
          for (const statement of splitStatements(script)) await sql.raw(statement).execute(db);
        },
      },
    ]),
  );
}

/** Finds the lineage in one snapshot, because another process may migrate at the same time. */
async function lineageIn(db: Database): Promise<Lineage> {
  const known = await migrationNames();
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => findLineage(trx, known));
}

/** Distributes the tables that a migration has added to a database that is distributed. */
async function distributeNewTables(pool: pg.Pool): Promise<void> {
  if ((await readLayout(pool)) === 'single') return;
  const client = await pool.connect();
  try {
    await distributeTables(client);
  } finally {
    client.release(true);
  }
}

const createMigrator = (db: Database): Migrator => new Migrator({ db, provider: { getMigrations: migrations } });

/** Migrates an empty database up to `lastMigration`, in the transaction of the caller on `db`. */
export async function migrateWithin(db: Database, lastMigration: string): Promise<void> {
  const { error } = await createMigrator(db).migrateTo(lastMigration, { disableTransactions: true });
  if (error !== undefined) {
    throw new MigrationError('Could not create the schema of the backup. See the cause.', { cause: error });
  }
}

/**
 * Throws when migrations are pending and workers run. They are of an older version: each statement
 * that does not fit the new schema would make an accepted request fail.
 */
async function requireNoWorkers(db: Database, migrator: Migrator): Promise<void> {
  // Counted first: a worker that starts at the same time begins only after it has migrated.
  const workers = await countWorkers(db);
  if (workers === 0) return;
  const migrations = await migrator.getMigrations();
  if (migrations.every(({ executedAt }) => executedAt !== undefined)) return;
  throw refusalOf({
    message: `The schema must be migrated, but workers of an older version still run (${workers}). With the new schema, accepted requests would fail in them.`,
    advice: 'Stop all processes of Roster, then start this version.',
  });
}

function refusalOf({ message, advice }: { readonly message: string; readonly advice: string }): MigrationError {
  return new MigrationError(`${message} ${advice}`);
}

/**
 * Migrates a database to the newest schema. Several processes may call it at once; they wait for
 * each other.
 *
 * All pending migrations run in one transaction, so a failure changes nothing. Then the schema of
 * the jobs, which belongs to a library, is migrated. Throws a {@link MigrationError} when the
 * server is older than PostgreSQL 15 or read-only, a connection pooler does not keep sessions, text
 * does not fold in the database, the role lacks rights, workers of an older version run, or the
 * schema belongs to a newer version of Roster or to another program.
 */
export async function migrateToLatest(url: string, log: Logger): Promise<void> {
  // On a cluster, a transaction with several changes of tables uses one connection to each node.
  const settings = { 'citus.multi_shard_modify_mode': `'sequential'` };
  const pool = openPool({ url, name: 'roster migrate', size: 3, settings, log });
  const db = openDatabase(pool);
  try {
    const { rows } = await sql<{ version: number; text: string; losing: string | null }>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as text, ${sql.raw(losingSettings)} as losing`.execute(
      db,
    );
    const server = rows[0]!;
    if (server.version < 150_000) {
      throw new MigrationError(
        `The server is PostgreSQL ${server.text}. Roster needs version 15 to 18. Upgrade the server and start again.`,
      );
    }
    if (server.version >= 190_000)
      log.warn({ version: server.text }, 'this PostgreSQL is newer than the versions that Roster is tested with');
    if (server.losing !== null)
      log.warn({ settings: server.losing }, 'this PostgreSQL can lose accepted requests when it crashes');
    const readOnly = await readOnlyReason(pool);
    if (readOnly !== undefined) {
      throw refusalOf(explainReadOnly('database server', readOnly, 'Set DATABASE_URL to the primary'));
    }
    if (!(await keepsSessions(pool))) throw refusalOf(lostSessions);
    const folding = await findFoldingFault(db);
    if (folding !== undefined) throw refusalOf(folding);
    const rights = await findRightsFault(db);
    if (rights !== undefined) throw refusalOf(rights);
    const refusal = lineageRefusal(await lineageIn(db));
    if (refusal !== undefined) throw new MigrationError(`${refusal.problem} ${refusal.advice}`);
    const migrator = createMigrator(db);
    await requireNoWorkers(db, migrator);
    // Kysely looks at all tables of the database, and fails if one is renamed meanwhile.
    const { error, results } = await besideJobMigrations(pool, () => migrator.migrateToLatest());
    const applied = (results ?? []).filter(({ status }) => status === 'Success').map((result) => result.migrationName);
    if (applied.length > 0) {
      log.info({ migrations: applied.length, last: applied.at(-1) }, 'migrated the schema of the database');
    }
    if (error !== undefined) {
      throw new MigrationError('A migration failed. All its changes were rolled back. See the cause.', {
        cause: error,
      });
    }
    await distributeNewTables(pool);
    await migrateJobs(pool, log).catch((cause: unknown) => {
      throw new MigrationError('Could not migrate the schema of the jobs. See the cause.', { cause });
    });
  } finally {
    await db.destroy();
  }
}
