import { readConfig } from '#platform/config/config.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { startOwnPostgres } from '#features/backups/archive/own-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';

/** `roster migrate`: brings the database to the newest schema and ends; starts the embedded PostgreSQL for it unless `DATABASE_URL` is set. */
export async function migrate(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'migrate');
  await using embedded = config.databaseUrl === undefined ? await startOwnPostgres(config, { log }) : undefined;
  await migrateToLatest(config.databaseUrl ?? embedded?.url ?? '', log);
  log.info('The database has the newest schema');
}
