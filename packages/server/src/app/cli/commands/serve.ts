import { collectWhenIdle } from '@roster/embedded-postgres';
import { readConfig, unknownSettings } from '#platform/config/config.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { loadAdminToken } from '../../supervisor/admin-token.ts';
import { banner, firstAccountText, setUpText } from '../../supervisor/banner.ts';
import { startPreparation } from '../../supervisor/preparation.ts';
import type { Prepared } from '../../supervisor/prepare-database.ts';
import { startSupervisor } from '../../supervisor/supervisor.ts';

/**
 * Runs `roster serve` until SIGTERM, SIGINT or SIGHUP. With `DATABASE_URL` and
 * `ROSTER_ROLE=api|worker`, this process is the API or the worker. Otherwise this process is the
 * supervisor of both.
 */
export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'roster');
  for (const name of unknownSettings()) log.warn(`${name} is not a setting, so it has no effect`);
  if (config.role !== 'all' && config.databaseUrl !== undefined) {
    // Loaded only when needed: the supervisor stays small.
    const { migrateAndCheck, prepareDatabase } = await import('../../supervisor/prepare-database.ts');
    if (config.role === 'api') {
      process.env['ROSTER_ADMIN_TOKEN'] = (await loadAdminToken(config)).token;
      const { firstAccount, setUpToken } = await prepareDatabase(config, log);
      process.stderr.write(`${firstAccountText(firstAccount)}${setUpText(publicUrlOf(config), setUpToken)}`);
    } else await migrateAndCheck(config, log);
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
  let prepared: Prepared = { firstAccount: undefined, setUpToken: undefined };
  try {
    const adminToken = await loadAdminToken(config);
    // It loads its program while PostgreSQL starts.
    using preparation = startPreparation(process.env);
    await using supervisor = await startSupervisor({
      config,
      log,
      adminToken: adminToken.token,
      env: process.env,
      signal: stopping.signal,
      prepare: async (databaseUrl) => {
        prepared = await preparation.prepare(databaseUrl);
      },
    });
    const url = config.publicUrl ?? supervisor.url;
    // Use standard error: standard output has the log, which programs read.
    process.stderr.write(banner({ url, adminTokenFile: adminToken.file, ...prepared }));
    prepared = { firstAccount: undefined, setUpToken: undefined };
    collectWhenIdle();
    await aborted(stopping.signal);
    log.info('stopping');
  } catch (error) {
    // The start can fail after the first account was created. Show its key now: it is stored only
    // as a hash.
    process.stderr.write(firstAccountText(prepared.firstAccount));
    if (!stopping.signal.aborted) throw error;
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
