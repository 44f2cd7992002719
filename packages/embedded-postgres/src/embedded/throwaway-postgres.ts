import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';

/**
 * Starts an embedded PostgreSQL in a temporary directory, for tests and benchmarks. Disposing of
 * it, or stopping it, removes the data. `fsync` is off unless `settings` turns it on.
 */
export async function startThrowawayPostgres(
  options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {},
): Promise<EmbeddedPostgres> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'throwaway-postgres-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    // mkdtemp creates private directories. If this process is root, the PostgreSQL user needs
    // access. Otherwise the files would be stored in `systemDir`, and stay there.
    await chmod(directory, 0o711);
    const server = await startEmbeddedPostgres({
      ...options,
      dataDir: directory,
      settings: { fsync: 'off', ...options.settings },
    });
    const stop: EmbeddedPostgres['stop'] = async (timeouts) => {
      await server.stop(timeouts);
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
