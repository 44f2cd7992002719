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

/** `roster serve`: runs the service until SIGTERM, SIGINT or SIGHUP; with `ROSTER_ROLE=api|worker` as this process, else under a supervisor. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'roster');
  if (config.role !== 'all' && config.databaseUrl !== undefined) {
    if (config.role === 'api') {
      process.env['ROSTER_ADMIN_TOKEN'] = (await loadAdminToken(config)).token;
      process.stderr.write(firstAccountText(await prepareDatabase(config, log)));
    } else await migrateToLatest(config.databaseUrl, log);
    // From here on this process is the part itself: its entry program handles signals and failures.
    await (config.role === 'api' ? import('../../processes/api.mts') : import('../../processes/worker.mts'));
    return new Promise<never>(() => undefined);
  }

  if (config.walArchive !== undefined && config.databaseUrl !== undefined) {
    log.warn('ROSTER_WAL_ARCHIVE has no effect with DATABASE_URL: archive the WAL of that server with its own means');
  }
  const stopping = new AbortController();
  // A terminal and npm may both pass on the same Ctrl-C: the second signal means no more than the first.
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
    // The log on standard output stays machine-readable.
    process.stderr.write(banner({ url, adminTokenFile: adminToken.file, firstAccount }));
    firstAccount = undefined;
    await aborted(stopping.signal);
    log.info('stopping');
  } catch (error) {
    // Another program may have taken the port since: the key was made all the same, and there is no second chance to see it.
    process.stderr.write(firstAccountText(firstAccount));
    if (!stopping.signal.aborted) throw error;
  }
}

/** Brings the database to the newest schema, makes the partitions that requests will need, and makes the first account when there is none and the service can listen. */
async function prepareDatabase(config: Config, log: Logger): Promise<FirstAccount | undefined> {
  await migrateToLatest(config.databaseUrl ?? '', log);
  await using context = createContext(config, 'start', { log });
  if (!(await hasAccounts(context.db))) await requireFreePort(config);
  await preparePartitions(context);
  // With `await`: the connections are closed on the way out.
  return await ensureFirstAccount(context);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
