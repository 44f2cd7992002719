import type { Logger } from 'pino';

import { hasAccounts } from '#features/accounts/store/account-store.ts';
import { ensureFirstAccount, type FirstAccount } from '../../first-start.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { createContext } from '../../create-context.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { preparePartitions } from '#pipeline/log/coming-partitions.ts';
import { loadAdminToken } from '../../supervisor/admin-token.ts';
import { banner, firstAccountText } from '../../supervisor/banner.ts';
import { requireFreePort } from '../../supervisor/require-free-port.ts';
import { startSupervisor } from '../../supervisor/supervisor.ts';

/**
 * Runs `roster serve` until SIGTERM, SIGINT or SIGHUP. With `DATABASE_URL` and
 * `ROSTER_ROLE=api|worker`, this process is the API or the worker. Otherwise this process is the
 * supervisor of both.
 */
export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'roster');
  if (config.role !== 'all' && config.databaseUrl !== undefined) {
    if (config.role === 'api') {
      process.env['ROSTER_ADMIN_TOKEN'] = (await loadAdminToken(config)).token;
      process.stderr.write(firstAccountText(await prepareDatabase(config, log)));
    } else await migrateToLatest(config.databaseUrl, log);
    // From here, the imported program handles signals and failures.
    await (config.role === 'api' ? import('../../processes/api.mts') : import('../../processes/worker.mts'));
    return new Promise<never>(() => undefined);
  }

  if (config.walArchive !== undefined && config.databaseUrl !== undefined) {
    log.warn('ROSTER_WAL_ARCHIVE has no effect with DATABASE_URL: set up WAL archiving on that server itself');
  }
  const stopping = new AbortController();
  // A terminal and npm can both send the signal of one Ctrl-C, so a second signal is ignored.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  let firstAccount: FirstAccount | undefined;
  try {
    const adminToken = await loadAdminToken(config);
    await using supervisor = await startSupervisor({
      config,
      log,
      adminToken: adminToken.token,
      env: process.env,
      signal: stopping.signal,
      prepare: async (databaseUrl) => {
        firstAccount = await prepareDatabase({ ...config, databaseUrl }, log);
      },
    });
    const url = config.publicUrl ?? supervisor.url;
    // Use standard error: standard output has the log, which programs read.
    process.stderr.write(banner({ url, adminTokenFile: adminToken.file, firstAccount }));
    firstAccount = undefined;
    await aborted(stopping.signal);
    log.info('stopping');
  } catch (error) {
    // The start can fail after the first account was created. Show its key now: it is stored only
    // as a hash.
    process.stderr.write(firstAccountText(firstAccount));
    if (!stopping.signal.aborted) throw error;
  }
}

/**
 * Migrates the database, creates the partitions of the coming days, and creates the first account
 * if there is none. Throws before it creates the account if the port is taken.
 */
async function prepareDatabase(config: Config, log: Logger): Promise<FirstAccount | undefined> {
  await migrateToLatest(config.databaseUrl ?? '', log);
  await using context = createContext(config, 'start', { log });
  if (!(await hasAccounts(context.db))) await requireFreePort(config);
  await preparePartitions(context);
  // Without `await`, `context` would be disposed before the account is created.
  return await ensureFirstAccount(context);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
