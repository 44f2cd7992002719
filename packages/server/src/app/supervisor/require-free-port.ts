import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#platform/config/config.ts';

/**
 * Listens on the configured port for a moment. Throws the error of `listen` (`EADDRINUSE`,
 * `EACCES`, …) if that fails.
 *
 * The first start checks this before it creates an account, whose API key is shown only once.
 */
export async function requireFreePort({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const server = createServer().listen({ port, host });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
