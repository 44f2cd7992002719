import { once } from 'node:events';
import net from 'node:net';

/** A PostgreSQL server behind an address that can go down. */
export interface NodeProxy extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections and refuses new ones, like a killed server. */
  kill(): Promise<void>;
  /** Keeps all connections and accepts new ones, but passes nothing on, like a paused server. */
  pause(): void;
  /** Works again. Paused connections continue. */
  restore(): Promise<void>;
}

/** Starts a proxy for a server on a free port of the loopback address. */
export async function startNodeProxy(target: { readonly host: string; readonly port: number }): Promise<NodeProxy> {
  const pairs = new Set<readonly [net.Socket, net.Socket]>();
  let isPaused = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const flow = (from: net.Socket, to: net.Socket): void => {
      from.on('data', (bytes) => void to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isPaused) from.pause();
    };
    flow(client, upstream);
    flow(upstream, client);
  });
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function close(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const [client] of pairs) client.destroy();
    await closed;
  }
  await listen(0);
  const { port } = server.address() as net.AddressInfo;

  return {
    port,
    kill: close,
    pause() {
      isPaused = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    async restore() {
      isPaused = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (!server.listening) await listen(port);
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}
