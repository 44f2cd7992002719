import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import packageFile from '../../../../package.json' with { type: 'json' };
import { DeliveryError, requestError } from '../destination/delivery-error.ts';
import { resolveTarget, type CheckedAddress } from '../destination/guard.ts';
import type { CallbackUrlRules } from '../destination/callback-url.ts';
import type { HostResolver } from '../destination/resolve-host.ts';

/** Milliseconds that a receiver has to answer, the look-up of its name included. */
const attemptTimeout = 10_000;

// A receiver's answer is of no interest beyond its status. Short ones are read, so that the receiver sees no broken connection.
const readAtMost = { bytes: 16_384, milliseconds: 1000 } as const;
const headerBytes = 16_384;

/** A request to send. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Not sent with GET. */
  readonly body: string;
}

/** How a request is sent. */
export interface SendOptions extends CallbackUrlRules {
  readonly resolveHost: HostResolver;
  /** Cuts the attempt off; then the promise rejects with its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds that the receiver has to answer; default 10 s. */
  readonly timeout?: number;
}

/** What came of a request. */
export interface Outcome {
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** undefined when it was answered with 2xx. */
  readonly error: DeliveryError | undefined;
  /** The address that was connected to; undefined when there was no connection. */
  readonly address: string | undefined;
}

/**
 * Sends a request to a host of somebody else's choice.
 *
 * The connection is made for this request alone, to an address that was checked a moment before; no proxy is used and no redirect followed.
 * The answer counts once its headers are there: 2xx is success.
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
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: attemptTimeout,
    autoSelectFamily: true,
    // Instead of a second look-up, whose answer could be another one. It is not called for a host that is an address itself.
    lookup: (_hostname, { all }, callback) => {
      if (all === true) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    },
  });
  const client = new Client(url.origin, {
    connect: (options, callback) => {
      // Its types do not say that it returns the socket. The address is of interest too when there is no TLS over the connection.
      const socket = connect(options, callback) as unknown as Socket;
      socket.once('connect', () => (connection.address = socket.remoteAddress));
    },
    maxHeaderSize: headerBytes,
    // The signal bounds the whole.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await client.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: headers.flat(),
      body: method === 'GET' ? null : body,
      // The receiver need not keep the connection open.
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
  // However it ends: the status is known.
  const signal = AbortSignal.timeout(readAtMost.milliseconds);
  await body.dump({ limit: readAtMost.bytes, signal }).catch(() => undefined);
}

function statusError(status: number): DeliveryError | undefined {
  if (status >= 200 && status < 300) return undefined;
  return new DeliveryError(status >= 300 && status < 400 ? 'redirect' : 'bad_status');
}

/** `host.` is the same host as `host`, but not to the servers that choose a certificate by the name. */
function withoutDot(url: URL): URL {
  if (!url.hostname.endsWith('.')) return url;
  const plain = new URL(url);
  plain.hostname = url.hostname.slice(0, -1);
  return plain;
}

/** What Roster calls itself. */
export const userAgent = `Roster/${packageFile.version}`;
