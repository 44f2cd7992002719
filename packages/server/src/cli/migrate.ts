import { readConfig } from '../config/config.ts';
import { createLogger } from '../observability/logger.ts';
import { startOwnPostgres } from '../backups/archive/own-postgres.ts';
import { migrateToLatest } from '../db/migrate.ts';

/** `roster migrate`: brings the database to the newest schema and ends; starts the embedded PostgreSQL for it unless `DATABASE_URL` is set. */
export async function migrate(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'migrate');
  await using embedded = config.databaseUrl === undefined ? await startOwnPostgres(config, { log }) : undefined;
  await migrateToLatest(config.databaseUrl ?? embedded?.url ?? '', log);
  log.info('The database has the newest schema');
}
