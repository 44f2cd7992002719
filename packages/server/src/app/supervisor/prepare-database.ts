import type { Logger } from 'pino';
import { hasAccounts } from '#features/accounts/store/account-store.ts';
import { ensureConfiguredOwner, newSetUpToken } from '#features/users/set-up/set-up.ts';
import { preparePartitions } from '#pipeline/log/coming-partitions.ts';
import type { Config } from '#platform/config/config.ts';
import { maxConnections } from '#platform/config/connections.ts';
import type { Context } from '#platform/context.ts';
import { readLayout } from '#platform/database/layout/layout.ts';
import { MigrationError } from '#platform/database/schema/migration-error.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { permittedConnections } from '#platform/database/statements/permitted-connections.ts';
import { createContext } from '../create-context.ts';
import { ensureFirstAccount, type FirstAccount } from '../first-start.ts';
import { requireFreePort } from './require-free-port.ts';

/** What a start has made, and shows only once. */
export interface Prepared {
  readonly firstAccount: FirstAccount | undefined;
  /** Token of the link that creates the first owner; undefined when there is an owner. */
  readonly setUpToken: string | undefined;
}

/**
 * Migrates the database, and checks that the settings fit it. Throws a {@link MigrationError}.
 * Enough for a worker.
 */
export async function migrateAndCheck(config: Config, log: Logger): Promise<void> {
  await migrateToLatest(config.databaseUrl ?? '', log);
  await using context = createContext(config, 'start', { log });
  await requireLayout(config, context);
  await requireConnections(config, context);
}

/** Throws when the setting for the layout is not the layout of the database. */
async function requireLayout(config: Config, { pool }: Pick<Context, 'pool'>): Promise<void> {
  const found = await readLayout(pool);
  if (found === config.layout) return;
  throw new MigrationError(
    found === 'citus'
      ? 'The database is distributed over the nodes of a cluster. Set ROSTER_LAYOUT=citus.'
      : 'The database is not distributed. Run `roster migrate --layout citus`, or unset ROSTER_LAYOUT.',
  );
}

/**
 * Throws when the processes of this start can open more connections than the server permits.
 * Otherwise they would fail later, under load.
 */
async function requireConnections(config: Config, { pool }: Pick<Context, 'pool'>): Promise<void> {
  const wanted = maxConnections(config, config.role);
  const permitted = await permittedConnections(pool);
  if (wanted <= permitted) return;
  const { databasePoolSize, workerLoops } = config;
  throw new MigrationError(
    `With ROSTER_DATABASE_POOL_SIZE=${databasePoolSize} and ROSTER_WORKER_LOOPS=${workerLoops}, the service can open ${wanted} connections, but the database server permits ${permitted}. Lower these settings, or raise max_connections on the server, or the connection limit of the role or the database.`,
  );
}

/**
 * Migrates the database, creates the partitions of the coming days, the first account if there is
 * none, and the owner of `ROSTER_OWNER_EMAIL` or a link that creates the owner. Throws before it
 * creates anything if the port is taken.
 */
export async function prepareDatabase(config: Config, log: Logger): Promise<Prepared> {
  await migrateAndCheck(config, log);
  await using context = createContext(config, 'start', { log });
  if (!(await hasAccounts(context.db))) await requireFreePort(config);
  await preparePartitions(context);
  const firstAccount = await ensureFirstAccount(context);
  await ensureConfiguredOwner(context);
  return { firstAccount, setUpToken: await newSetUpToken(context) };
}
