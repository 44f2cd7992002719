import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a TCP port on 127.0.0.1 that is free right now.
 *
 * Below the range that systems take for outgoing connections (from 32768 on Linux, 49152
 * elsewhere): when the server is restarted, no passing connection of another program sits on its
 * port. Another program may still take it before PostgreSQL does.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free TCP port from 15000 to 31999 on 127.0.0.1.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: '127.0.0.1' });
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
