import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';

/** The parameters of a connection that PgBouncer accepts with its default settings. */
const accepted = new Set([
  'user',
  'database',
  'replication',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
  'application_name',
  'intervalstyle',
  'search_path',
]);

/** A PgBouncer in session mode with its default settings, as far as a client notices it. */
export interface PoolerProxy extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** The parameters that the proxy has refused. */
  readonly refused: ReadonlySet<string>;
}

/**
 * Starts a proxy for a server that, like PgBouncer, refuses a connection with a parameter that it does
 * not know, and tells each client a number that is not the process of its server.
 */
export async function startPoolerProxy(databaseUrl: string): Promise<PoolerProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const refused = new Set<string>();
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('data', (startup: Buffer) => {
      const unknown = parametersOf(startup).find((name) => !accepted.has(name.toLowerCase()));
      if (unknown !== undefined) {
        refused.add(unknown);
        client.end(refusalOf(unknown));
        return;
      }
      const upstream = net.connect(Number(port), hostname);
      upstream.on('error', () => client.destroy());
      upstream.write(startup);
      client.pipe(upstream);
      let isReplaced = false;
      upstream.on('data', (answer: Buffer) => {
        isReplaced ||= replaceProcess(answer);
        client.write(answer);
      });
      client.on('close', () => upstream.destroy());
    });
  });
  const listening = await listen(server, sockets, databaseUrl);
  return { ...listening, refused };
}

/**
 * Starts a proxy that, like PgBouncer in transaction mode, shares some sessions of the server between
 * all connections: each message goes to the session whose turn it is. The clients must take turns,
 * too: each waits for its answer before another one sends.
 */
export async function startSharingPooler(
  databaseUrl: string,
  sessions = 1,
): Promise<AsyncDisposable & { readonly url: string }> {
  let speaker: net.Socket | undefined;
  const upstreams = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const upstream = await openSession(databaseUrl);
      return upstream.on('data', (answer: Buffer) => speaker?.write(answer));
    }),
  );
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('data', () => {
      client.write(welcome);
      client.on('data', (message: Buffer) => {
        // A client that says good-bye does not end the session of the others.
        if (message[0] === 'X'.charCodeAt(0)) return;
        speaker = client;
        const next = upstreams.shift()!;
        upstreams.push(next);
        next.write(message);
      });
    });
  });
  const listening = await listen(server, sockets, databaseUrl);
  return {
    url: listening.url,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      for (const upstream of upstreams) upstream.destroy();
    },
  };
}

/** Opens a session of the server, and returns its connection. Nobody reads from it. */
async function openSession(databaseUrl: string): Promise<net.Socket> {
  const session = new pg.Client({ connectionString: databaseUrl });
  session.on('error', () => undefined);
  await session.connect();
  const { stream } = (session as unknown as { readonly connection: { readonly stream: net.Socket } }).connection;
  return stream.removeAllListeners('data');
}

/** AuthenticationOk, and ReadyForQuery outside of a transaction. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Lets a proxy listen on a free port. Returns the URL of the database through the proxy. */
async function listen(server: net.Server, sockets: ReadonlySet<net.Socket>, databaseUrl: string) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Returns the names of the parameters in the first message of a client. */
function parametersOf(startup: Buffer): string[] {
  const words = startup.subarray(8, startup.readInt32BE(0)).toString().split('\0');
  return words.filter((word, at) => at % 2 === 0 && word !== '');
}

function refusalOf(parameter: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Replaces the process in the message BackendKeyData of the server. Returns false if there is none. */
function replaceProcess(answer: Buffer): boolean {
  for (let at = 0; at < answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    if (answer[at] !== 'K'.charCodeAt(0)) continue;
    answer.writeInt32BE(2_147_483_646, at + 5);
    return true;
  }
  return false;
}
