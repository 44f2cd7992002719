import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts';

/**
 * Starts an embedded PostgreSQL on a temporary directory; disposing of it, or stopping it, removes
 * the data.
 *
 * For tests, benchmarks and generators: it does not wait for the disk (`fsync` off) unless
 * `settings` says otherwise.
 */
export async function startThrowawayPostgres(
  options: Omit<EmbeddedPostgresOptions, 'dataDir'> = {},
): Promise<EmbeddedPostgres> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'throwaway-postgres-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    // mkdtemp makes private directories. As root, PostgreSQL's user must pass through, or its files
    // would go elsewhere and stay.
    await chmod(directory, 0o711);
    const server = await startEmbeddedPostgres({
      ...options,
      dataDir: directory,
      settings: { fsync: 'off', ...options.settings },
    });
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
