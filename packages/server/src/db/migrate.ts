import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Logger } from 'pino';
import { migrateJobs } from '../jobs/job-schema.ts';
import { openDatabase, openPool } from './database.ts';
import { losingSettings } from './durability.ts';

const directory = path.join(import.meta.dirname, 'migrations');

/** A database that this version cannot use: made by a newer version, too old a server, or a migration that failed. */
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

/**
 * Brings a database to the newest schema; safe under any number of concurrent starters, which wait for each other.
 *
 * All pending migrations run in one transaction: a failure or a kill leaves the schema as it was. The schema of the jobs, which belongs to
 * a library, follows after it.
 * Throws a {@link MigrationError} when the server is not PostgreSQL 15 to 18 or the schema belongs to a newer version of Roster.
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
    const migrator = new Migrator({ db, provider: { getMigrations: migrations } });
    const { error, results } = await migrator.migrateToLatest();
    for (const result of results ?? []) {
      if (result.status === 'Success') log.info({ migration: result.migrationName }, 'migration applied');
    }
    if (error !== undefined) {
      if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
        throw new MigrationError(
          'The database was made by a newer version of Roster. Start that version or a later one; the data was not touched.',
          { cause: error },
        );
      }
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
