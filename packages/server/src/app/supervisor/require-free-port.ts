import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#platform/config/config.ts';
import { listenOn } from '#platform/http/server/listen.ts';

/**
 * Listens on the configured port for a moment. Throws like {@link listenOn} if that fails.
 *
 * The first start checks this before it creates an account, whose API key is shown only once.
 */
export async function requireFreePort(config: Pick<Config, 'port' | 'host'>): Promise<void> {
  const server = createServer();
  await listenOn(config, (place) => once(server.listen(place), 'listening'));
  server.close();
  await once(server, 'close');
}
