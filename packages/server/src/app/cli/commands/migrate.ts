import { readConfig } from '#platform/config/config.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { distributeTables, findClusterFault } from '#platform/database/layout/distribute.ts';
import type { Layout } from '#platform/database/layout/layout.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { MigrationError } from '#platform/database/schema/migration-error.ts';

/**
 * Runs `roster migrate`: migrates the database to the newest schema. Starts the embedded PostgreSQL
 * unless `DATABASE_URL` is set. With the layout `citus`, distributes the tables over the nodes of the
 * cluster. This can be repeated.
 */
export async function migrate(layout?: Layout): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'migrate');
  const { databaseUrl } = config;
  if (layout === 'citus') {
    if (databaseUrl === undefined) {
      throw new MigrationError('The layout citus needs a Citus cluster. Set DATABASE_URL to its coordinator.');
    }
    await distribute(databaseUrl, () => migrateToLatest(databaseUrl, log));
    log.info('the database has the newest schema, distributed over the nodes; start with ROSTER_LAYOUT=citus');
    return;
  }
  await using embedded = databaseUrl === undefined ? await startArchivedPostgres(config, { log }) : undefined;
  await migrateToLatest(databaseUrl ?? embedded?.url ?? '', log);
  log.info('the database has the newest schema');
}

async function distribute(url: string, migrateSchema: () => Promise<void>): Promise<void> {
  const client = await openConnection(url, 'roster migrate layout');
  try {
    // First, so that a server without Citus stays as it is.
    const fault = await findClusterFault(client);
    if (fault !== undefined) throw new MigrationError(fault);
    await migrateSchema();
    await distributeTables(client);
  } finally {
    await client.end();
  }
}
