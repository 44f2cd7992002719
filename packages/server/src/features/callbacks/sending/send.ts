import type { Dispatcher } from 'undici';
import packageFile from '../../../../package.json' with { type: 'json' };
import { DeliveryError, requestError } from '../destination/delivery-error.ts';
import { resolveTarget, type CheckedAddress } from '../destination/guard.ts';
import type { CallbackUrlRules } from '../destination/callback-url.ts';
import type { HostResolver } from '../destination/resolve-host.ts';
import { ReceiverConnection, type ReceiverConnections } from './receiver-connections.ts';

/** Timeout in milliseconds for the response of the receiver. It includes the DNS query. */
const attemptTimeout = 10_000;

// Only the status of a response counts. A short body is still read, so that the receiver does not
// see a broken connection.
const readAtMost = { bytes: 16_384, milliseconds: 1000 } as const;

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
  /**
   * Uses a kept connection of this owner, and keeps the connection for its next request. Undefined:
   * the connection is closed after the request.
   */
  readonly reuse?: { readonly connections: ReceiverConnections; readonly owner: string } | undefined;
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
 * The host is resolved for each request, and its addresses are checked. The connection goes to one
 * of them, also if it was kept since an earlier request. No proxy is used, and no redirect is
 * followed. The outcome is known when the headers of the response have arrived.
 */
export async function send(request: OutboundRequest, options: SendOptions): Promise<Outcome> {
  const timeout = AbortSignal.timeout(options.timeout ?? attemptTimeout);
  const signal = AbortSignal.any([timeout, options.signal]);
  const used: Used = {};
  try {
    const url = withoutDot(new URL(request.url));
    const addresses = await resolveTarget(url, { ...options, signal });
    const answer = await exchange({ request, url, addresses, signal, reuse: options.reuse }, used);
    return { ...answer, address: used.connection?.address, error: statusError(answer.status) };
  } catch (error) {
    options.signal.throwIfAborted();
    const fault = timeout.aborted ? new DeliveryError('timeout', undefined, error) : requestError(error);
    return { status: undefined, retryAfter: undefined, error: fault, address: used.connection?.address };
  }
}

/** A request whose target was checked. */
interface CheckedRequest extends Pick<SendOptions, 'reuse' | 'signal'> {
  readonly request: OutboundRequest;
  readonly url: URL;
  readonly addresses: readonly CheckedAddress[];
}

/** The connection of an attempt. */
interface Used {
  connection?: ReceiverConnection;
}

type Answer = Pick<Outcome, 'retryAfter'> & { readonly status: number };

async function exchange(checked: CheckedRequest, used: Used): Promise<Answer> {
  const { url, addresses, reuse } = checked;
  const kept = reuse?.connections.take(reuse.owner, url.origin, addresses);
  if (kept !== undefined) {
    used.connection = kept;
    try {
      return await exchangeOn(kept, checked);
    } catch (error) {
      // The receiver may close an idle connection at the moment at which the request is sent.
      if (!isClosedByReceiver(error) || checked.signal.aborted) throw error;
    }
  }
  used.connection = await ReceiverConnection.create(url.origin, addresses);
  return exchangeOn(used.connection, checked);
}

async function exchangeOn(
  connection: ReceiverConnection,
  { request: { method, headers, body }, url, signal, reuse }: CheckedRequest,
): Promise<Answer> {
  let isReusable = false;
  try {
    const answer = await connection.client.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: headers.flat(),
      body: method === 'GET' ? null : body,
      // True tells the receiver to close the connection.
      reset: reuse === undefined,
      signal,
    });
    const retryAfter = answer.headers['retry-after'];
    const isComplete = await drain(answer.body);
    // After a failure, the next request comes much later.
    isReusable = isComplete && statusError(answer.statusCode) === undefined;
    return { status: answer.statusCode, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
  } finally {
    if (isReusable && reuse !== undefined) await reuse.connections.keep(reuse.owner, url.origin, connection);
    else await connection.close();
  }
}

/** Reads a response. Returns false if it was too long or too slow, so that there is more of it. */
async function drain(body: Dispatcher.ResponseData['body']): Promise<boolean> {
  // A failure does not matter: the status is known.
  const signal = AbortSignal.timeout(readAtMost.milliseconds);
  await body.dump({ limit: readAtMost.bytes, signal }).catch(() => undefined);
  return body.readableEnded;
}

/** True when the connection ended before a response. */
function isClosedByReceiver(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function statusError(status: number): DeliveryError | undefined {
  if (status >= 200 && status < 300) return undefined;
  return new DeliveryError(status >= 300 && status < 400 ? 'redirect' : 'bad_status');
}

/** Removes the dot at the end of a host name. Servers would not find the certificate of `host.`. */
export function withoutDot(url: URL): URL {
  if (!url.hostname.endsWith('.')) return url;
  const plain = new URL(url);
  plain.hostname = url.hostname.slice(0, -1);
  return plain;
}

/** The `User-Agent` of Roster. */
export const userAgent = `Roster/${packageFile.version}`;
