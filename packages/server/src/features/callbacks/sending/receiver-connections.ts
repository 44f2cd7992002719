import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { parseAddress } from '#platform/config/address.ts';
import { minute, second } from '#platform/time/intervals.ts';
import type { CheckedAddress } from '../destination/guard.ts';

declare module '#platform/context.ts' {
  interface Context {
    /** The connections to receivers that are kept for their next request. */
    readonly receiverConnections: ReceiverConnections;
  }
}

const connectTimeout = 10 * second;
const headerBytes = 16_384;

// Many servers close an idle connection after 5 s. A receiver can announce another time with the
// header `Keep-Alive`. Then the connection is closed two seconds earlier.
const idleTime = { normal: 4 * second, longest: 15 * second } as const;

// A new connection checks the certificate again, and lets a load balancer choose another server.
const longestUse = minute;

// Idle connections of one process. The one that has been idle longest is closed first.
const mostIdle = 64;

/** A connection to one origin. It is for one request at a time. */
export class ReceiverConnection {
  readonly client: Client;
  /** Called each time the connection is closed. */
  onClosed: (() => void) | undefined;
  readonly #createdAt = performance.now();
  #addresses: readonly CheckedAddress[];
  #address: string | undefined;

  private constructor({ buildConnector, Client: ClientOf }: typeof import('undici'), origin: string) {
    this.#addresses = [];
    const connect = buildConnector({
      allowH2: false,
      maxCachedSessions: 0,
      timeout: connectTimeout,
      autoSelectFamily: true,
      // Use the checked addresses, because another DNS query could return others. This is not called
      // if the host is an address.
      lookup: (_hostname, { all }, callback) => {
        if (all === true) callback(null, [...this.#addresses]);
        else callback(null, this.#addresses[0]!.address, this.#addresses[0]!.family);
      },
    });
    this.client = new ClientOf(origin, {
      connect: (options, callback) => {
        // `connect` returns the socket, although its type does not say so. The socket has the address
        // even if the TLS handshake fails.
        const socket = connect(options, callback) as unknown as Socket;
        socket.once('connect', () => (this.#address = socket.remoteAddress));
      },
      maxHeaderSize: headerBytes,
      keepAliveTimeout: idleTime.normal,
      keepAliveMaxTimeout: idleTime.longest,
      // The signal of a request limits its time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => this.onClosed?.());
  }

  /** Prepares a connection to one of the addresses. The first request opens it. */
  static async create(origin: string, addresses: readonly CheckedAddress[]): Promise<ReceiverConnection> {
    // Loaded when needed: it takes 5 MB of memory in each process.
    const connection = new ReceiverConnection(await import('undici'), origin);
    connection.#addresses = addresses;
    return connection;
  }

  /** The address of the receiver. Undefined: the connection was never open. */
  get address(): string | undefined {
    return this.#address;
  }

  /**
   * Prepares the connection for another request to one of the addresses, which were checked just
   * before. Returns false if it goes to none of them, or is too old.
   */
  renew(addresses: readonly CheckedAddress[]): boolean {
    const own = parseAddress(this.#address ?? '')?.toString();
    if (performance.now() - this.#createdAt > longestUse) return false;
    if (!addresses.some(({ address }) => address === own)) return false;
    // If the receiver closes the connection before the request is written, the client opens it again.
    this.#addresses = addresses;
    return true;
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this.client.destroy();
  }
}

/**
 * The idle connections of a process to receivers: up to one for each owner and origin. Requests of
 * different owners never share a connection.
 */
export class ReceiverConnections implements AsyncDisposable {
  readonly #idle = new Map<string, ReceiverConnection>();
  #isDisposed = false;

  /** The number of idle connections. */
  get size(): number {
    return this.#idle.size;
  }

  /** Takes an idle connection to one of the addresses, which were checked just before. */
  take(owner: string, origin: string, addresses: readonly CheckedAddress[]): ReceiverConnection | undefined {
    const key = keyOf(owner, origin);
    const connection = this.#idle.get(key);
    if (connection === undefined) return undefined;
    this.#idle.delete(key);
    connection.onClosed = undefined;
    if (connection.renew(addresses)) return connection;
    void connection.close();
    return undefined;
  }

  /** Keeps a connection whose last response was read to its end. */
  async keep(owner: string, origin: string, connection: ReceiverConnection): Promise<void> {
    if (this.#isDisposed) return connection.close();
    const key = keyOf(owner, origin);
    const surplus = this.#idle.get(key);
    this.#idle.delete(key);
    this.#idle.set(key, connection);
    connection.onClosed = () => void this.#idle.delete(key);
    await this.#close(surplus);
    if (this.#idle.size <= mostIdle) return;
    const [oldestKey, oldest] = this.#idle.entries().next().value!;
    this.#idle.delete(oldestKey);
    await this.#close(oldest);
  }

  async #close(connection: ReceiverConnection | undefined): Promise<void> {
    if (connection === undefined) return;
    // It must not remove the connection that has its place now.
    connection.onClosed = undefined;
    await connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const idle = [...this.#idle.values()];
    this.#idle.clear();
    await Promise.all(idle.map(async (connection) => this.#close(connection)));
  }
}

const keyOf = (owner: string, origin: string): string => `${owner} ${origin}`;
