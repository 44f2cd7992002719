import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { Logger } from 'pino';

import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { PostgresSettings } from '../server/tuned-settings.ts';

/**
 * Starts an embedded PostgreSQL on a temporary directory; disposing of it, or stopping it, removes the data.
 *
 * For tests, benchmarks and generators: it does not wait for the disk (`fsync` off) unless `settings` says otherwise.
 */
export async function startThrowawayPostgres(log: Logger, settings: PostgresSettings = {}): Promise<EmbeddedPostgres> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-throwaway-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    // mkdtemp makes private directories. As root, PostgreSQL's user must pass through, or its files would go elsewhere and stay.
    await chmod(directory, 0o711);
    const server = await startEmbeddedPostgres({ dataDir: directory, log, settings: { fsync: 'off', ...settings } });
    const stop: EmbeddedPostgres['stop'] = async (patience) => {
      await server.stop(patience);
      await remove();
    };
    return {
      url: server.url,
      get pid() {
        return server.pid;
      },
      clusterDir: server.clusterDir,
      isNew: server.isNew,
      onExit: (listener) => server.onExit(listener),
      restart: () => server.restart(),
      stop,
      [Symbol.asyncDispose]: () => stop(),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
