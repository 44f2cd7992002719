import { readConfig } from '#platform/config/config.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';

/**
 * Runs `roster migrate`: migrates the database to the newest schema. Starts the embedded PostgreSQL
 * unless `DATABASE_URL` is set.
 */
export async function migrate(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'migrate');
  await using embedded = config.databaseUrl === undefined ? await startArchivedPostgres(config, { log }) : undefined;
  await migrateToLatest(config.databaseUrl ?? embedded?.url ?? '', log);
  log.info('the database has the newest schema');
}
