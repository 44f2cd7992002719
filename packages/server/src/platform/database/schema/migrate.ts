import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { migrateJobs } from './job-schema.ts';
import { openDatabase, openPool, type Database } from '../connection/database.ts';
import { findLineage, lineageRefusal, type Lineage } from './lineage.ts';
import { losingSettings } from '../statements/durability.ts';
import { findFoldingFault } from './text-folding.ts';

const directory = path.join(import.meta.dirname, 'migrations');

/** A database that this version cannot use: made by a newer version or another program, too old a server, a locale that does not fold text, or a migration that failed. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Names of the files of all migrations, in the order in which they are applied. */
const fileNames = async (): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();

/** Names of all migrations of this version, in the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  return (await fileNames()).map((name) => path.basename(name, '.sql'));
}

/** Every migration, by name: the plain SQL files of `migrations/`. */
async function migrations(): Promise<Record<string, Migration>> {
  const names = await fileNames();
  return Object.fromEntries(
    names.map((name) => [
      path.basename(name, '.sql'),
      { up: async (db) => void (await sql.raw(await readFile(path.join(directory, name), 'utf8')).execute(db)) },
    ]),
  );
}

/** Reads the lineage at one moment: another process may make the schema meanwhile. */
async function lineageIn(db: Database): Promise<Lineage> {
  const known = await migrationNames();
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => findLineage(trx, known));
}

const createMigrator = (db: Database): Migrator => new Migrator({ db, provider: { getMigrations: migrations } });

/** Brings an empty database to the schema that a migration made, within a transaction that the caller has begun on the connection of `db`. */
export async function migrateWithin(db: Database, lastMigration: string): Promise<void> {
  const { error } = await createMigrator(db).migrateTo(lastMigration, { disableTransactions: true });
  if (error !== undefined) {
    throw new MigrationError('The schema of the backup could not be made. The cause says why.', { cause: error });
  }
}

/**
 * Brings a database to the newest schema; safe under any number of concurrent starters, which wait for each other.
 *
 * All pending migrations run in one transaction: a failure or a kill leaves the schema as it was. The schema of the jobs, which belongs to
 * a library, follows after it.
 * Throws a {@link MigrationError} when the server is older than PostgreSQL 15, text does not fold in the database, or the schema belongs to a
 * newer version of Roster or to something else.
 */
export async function migrateToLatest(url: string, log: Logger): Promise<void> {
  const pool = openPool({ url, name: 'roster migrate', size: 2, log });
  const db = openDatabase(pool);
  try {
    const { rows } = await sql<{ version: number; text: string; losing: string | null }>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as text, ${sql.raw(losingSettings)} as losing`.execute(
      db,
    );
    const server = rows[0]!;
    if (server.version < 150_000) {
      throw new MigrationError(
        `The server is PostgreSQL ${server.text}; Roster needs 15 to 18. Upgrade it and start again.`,
      );
    }
    if (server.version >= 190_000)
      log.warn({ version: server.text }, 'this PostgreSQL is newer than the versions Roster is tested with');
    if (server.losing !== null)
      log.warn(
        { settings: server.losing },
        'this PostgreSQL can lose what it has committed, and with it accepted requests, when it crashes',
      );
    const folding = await findFoldingFault(db);
    if (folding !== undefined) throw new MigrationError(`${folding.message} ${folding.advice}`);
    const refusal = lineageRefusal(await lineageIn(db));
    if (refusal !== undefined) throw new MigrationError(`${refusal.problem} ${refusal.advice}`);
    const migrator = createMigrator(db);
    const { error, results } = await migrator.migrateToLatest();
    const applied = (results ?? []).filter(({ status }) => status === 'Success').map((result) => result.migrationName);
    if (applied.length > 0) {
      log.info(
        { migrations: applied.length, last: applied.at(-1) },
        'the schema of the database was brought up to date',
      );
    }
    if (error !== undefined) {
      throw new MigrationError('A migration failed; nothing of it was kept. The cause says why.', { cause: error });
    }
    await migrateJobs(pool, log).catch((cause: unknown) => {
      throw new MigrationError('The schema of the jobs could not be made or brought up to date. The cause says why.', {
        cause,
      });
    });
  } finally {
    await db.destroy();
  }
}
