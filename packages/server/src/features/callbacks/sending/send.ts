import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import packageFile from '../../../../package.json' with { type: 'json' };
import { DeliveryError, requestError } from '../destination/delivery-error.ts';
import { resolveTarget, type CheckedAddress } from '../destination/guard.ts';
import type { CallbackUrlRules } from '../destination/callback-url.ts';
import type { HostResolver } from '../destination/resolve-host.ts';

/** Timeout in milliseconds for the response of the receiver. It includes the DNS query. */
const attemptTimeout = 10_000;

// Only the status of a response counts. A short body is still read, so that the receiver does not
// see a broken connection.
const readAtMost = { bytes: 16_384, milliseconds: 1000 } as const;
const headerBytes = 16_384;

/** A request to send. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Not sent with GET. */
  readonly body: string | Buffer;
}

/** How a request is sent. */
export interface SendOptions extends CallbackUrlRules {
  readonly resolveHost: HostResolver;
  /** Ends the attempt; the promise then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Milliseconds until the receiver must have responded; default 10 s. */
  readonly timeout?: number;
}

/** The outcome of a request. */
export interface Outcome {
  /** HTTP status of the response; undefined without a response. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** undefined when the status was 2xx. */
  readonly error: DeliveryError | undefined;
  /** The address of the connection; undefined when there was none. */
  readonly address: string | undefined;
}

/**
 * Sends a request to a host that a caller chose.
 *
 * Each request has its own connection, to an address that was checked just before. No proxy is
 * used, and no redirect is followed. The outcome is known when the headers of the response have
 * arrived.
 */
export async function send(request: OutboundRequest, options: SendOptions): Promise<Outcome> {
  const timeout = AbortSignal.timeout(options.timeout ?? attemptTimeout);
  const signal = AbortSignal.any([timeout, options.signal]);
  const connection: { address?: string | undefined } = {};
  try {
    const url = withoutDot(new URL(request.url));
    const addresses = await resolveTarget(url, { ...options, signal });
    const answer = await exchange(request, url, addresses, connection, signal);
    return { ...answer, address: connection.address, error: statusError(answer.status) };
  } catch (error) {
    options.signal.throwIfAborted();
    const fault = timeout.aborted ? new DeliveryError('timeout', undefined, error) : requestError(error);
    return { status: undefined, retryAfter: undefined, error: fault, address: connection.address };
  }
}

async function exchange(
  { method, headers, body }: OutboundRequest,
  url: URL,
  addresses: readonly CheckedAddress[],
  connection: { address?: string | undefined },
  signal: AbortSignal,
): Promise<Pick<Outcome, 'retryAfter'> & { status: number }> {
  // Loaded when needed: it takes 5 MB of memory in each process.
  const { buildConnector, Client } = await import('undici');
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: attemptTimeout,
    autoSelectFamily: true,
    // Use the checked addresses, because another DNS query could return others. This is not called
    // if the host is an address.
    lookup: (_hostname, { all }, callback) => {
      if (all === true) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    },
  });
  const client = new Client(url.origin, {
    connect: (options, callback) => {
      // `connect` returns the socket, although its type does not say so. The socket has the address
      // even if the TLS handshake fails.
      const socket = connect(options, callback) as unknown as Socket;
      socket.once('connect', () => (connection.address = socket.remoteAddress));
    },
    maxHeaderSize: headerBytes,
    // The signal limits the time of the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await client.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: headers.flat(),
      body: method === 'GET' ? null : body,
      // Tells the receiver to close the connection.
      reset: true,
      signal,
    });
    const retryAfter = answer.headers['retry-after'];
    await drain(answer.body);
    return { status: answer.statusCode, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
  } finally {
    await client.destroy();
  }
}

async function drain(body: Dispatcher.ResponseData['body']): Promise<void> {
  // A failure does not matter: the status is known.
  const signal = AbortSignal.timeout(readAtMost.milliseconds);
  await body.dump({ limit: readAtMost.bytes, signal }).catch(() => undefined);
}

function statusError(status: number): DeliveryError | undefined {
  if (status >= 200 && status < 300) return undefined;
  return new DeliveryError(status >= 300 && status < 400 ? 'redirect' : 'bad_status');
}

/** Removes the dot at the end of a host name. Servers would not find the certificate of `host.`. */
function withoutDot(url: URL): URL {
  if (!url.hostname.endsWith('.')) return url;
  const plain = new URL(url);
  plain.hostname = url.hostname.slice(0, -1);
  return plain;
}

/** The `User-Agent` of Roster. */
export const userAgent = `Roster/${packageFile.version}`;
