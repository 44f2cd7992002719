import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import tls, { type TLSSocket } from 'node:tls';

/** A request as a receiver got it. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The server name in the TLS handshake, or undefined without TLS or name. */
  readonly servername: string | undefined;
}

/** A server on the loopback interface that receives callbacks. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly Received[];
  /** The number of connections so far. */
  readonly connections: number;
  /** The number of connections that are open now. */
  readonly openConnections: number;
  /** The largest number of requests that were open at the same time. */
  readonly mostAtOnce: number;
  /** Resolves when this many requests have arrived. */
  reached(count: number): Promise<readonly Received[]>;
  /** Closes all connections. */
  closeConnections(): void;
}

/** Answers a request. If it does not end the response, the request stays open. */
export type Answer = (response: ServerResponse, request: Received) => void | Promise<void>;

const certificate = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, 'certificates', name), 'utf8');

/** Makes this process trust the certificates of the receivers. */
export function trustReceivers(): void {
  tls.setDefaultCACertificates([certificate('authority.pem')]);
}

/**
 * Starts a receiver that answers with 200, or as `answer` does. With `remembers: false` it does not
 * keep the requests.
 */
export async function startReceiver(
  answer: Answer = (response) => void response.end(),
  { secure = false, host = '127.0.0.1', remembers = true } = {},
): Promise<Receiver> {
  const requests: Received[] = [];
  let next = Promise.withResolvers<void>();
  let connections = 0;
  let openConnections = 0;
  let atOnce = 0;
  let mostAtOnce = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on('close', () => atOnce--);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const servername = (request.socket as TLSSocket).servername;
    const received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks).toString(),
      servername: typeof servername === 'string' ? servername : undefined,
    };
    if (remembers) requests.push(received);
    next.resolve();
    next = Promise.withResolvers();
    await answer(response, received);
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // An aborted request does not fail the test.
    handle(request, response).catch(() => undefined);
  };
  const server = secure
    ? https.createServer({ cert: certificate('receiver.pem'), key: certificate('receiver.key') }, listener)
    : http.createServer(listener);
  server.on('connection', (socket: Socket) => {
    connections++;
    openConnections++;
    socket.on('close', () => openConnections--);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get connections() {
      return connections;
    },
    get openConnections() {
      return openConnections;
    },
    closeConnections() {
      server.closeAllConnections();
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    async reached(count) {
      while (requests.length < count) await next.promise;
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Starts a TCP server that can violate HTTP. It calls `talk` when the first bytes of a request have
 * arrived. The bytes of all requests are added to `seen`.
 */
export async function startRaw(
  talk: (socket: Socket) => void,
  seen: string[] = [],
): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => seen.push(bytes.toString()));
    socket.once('data', () => talk(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port of the loopback interface on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
