import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a TCP port on 127.0.0.1 that is free now. Another program may still take it before
 * PostgreSQL does.
 *
 * The port is below the range that systems use for outgoing connections (from 32768 on Linux, 49152
 * elsewhere). An outgoing connection of another program can therefore not block the port of a
 * server that restarts.
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
