import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { preparedDirectory } from '../../../embedded-postgres/test/prepared-directory.ts';
import { quick, silent } from '../../../embedded-postgres/test/support.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';

/** A temporary data directory of a service, with a migrated and empty database. */
export const migratedDirectory = (): ReturnType<typeof preparedDirectory> =>
  preparedDirectory('roster', async (dataDir) => {
    await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
    await migrateToLatest(server.url, silent);
  });
