import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#platform/config/config.ts';

/**
 * Throws what listening on the configured port would (`EADDRINUSE`, `EACCES`, …), without keeping it.
 *
 * For a first start: an account whose key is shown once should not be made by a service that cannot run.
 */
export async function requireFreePort({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
