import type { Readable } from 'node:stream';
import { resolveTarget } from '#features/callbacks/destination/guard.ts';
import { DeliveryError, requestError } from '#features/callbacks/destination/delivery-error.ts';
import type { HostResolver } from '#features/callbacks/destination/resolve-host.ts';
import { ReceiverConnection } from '#features/callbacks/sending/receiver-connections.ts';
import { userAgent, withoutDot } from '#features/callbacks/sending/send.ts';
import type { AllowList } from '#platform/config/allow-list.ts';
import { faultOf, SourceFault, statusFault } from './source-fault.ts';

/** Redirects that are followed. Services that store files use one or two. */
const maxRedirects = 5;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How a file is requested. */
export interface SourceOptions {
  /** Hosts and networks that the operator allows: `config.callbackAllow`. */
  readonly allow: AllowList;
  readonly resolveHost: HostResolver;
  /** Ends the request and the response. */
  readonly signal: AbortSignal;
  /** Milliseconds until the headers of a response must have arrived, for each redirect anew. */
  readonly responseTimeout: number;
  /** Milliseconds without a byte of the file after which the connection is closed. */
  readonly idleTimeout: number;
}

/** The response with a file. Dispose it to close the connection. */
export interface OpenSource extends AsyncDisposable {
  readonly body: Readable;
  /** Bytes of the file, if the server states them. */
  readonly size: number | undefined;
}

/**
 * Requests a file from a host that a caller chose, and follows redirects.
 *
 * The host of each hop is checked in the same way as the host of a callback: it is resolved, each
 * of its addresses must be allowed, and the connection goes to one of them. A redirect to plain
 * HTTP is allowed only if the operator allows the host. No proxy is used, and no cookie or
 * credential is sent.
 *
 * Throws a {@link SourceFault}, or the reason of the signal.
 */
export async function openSource(start: string, options: SourceOptions): Promise<OpenSource> {
  let url = withoutDot(new URL(start));
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const next = await request(url, options);
    if (!(next instanceof URL)) return next;
    url = next;
  }
  const message = `the server redirected more than ${maxRedirects} times`;
  throw new SourceFault('source_status', message, { isFinal: true });
}

/** Sends one request. Returns the response with the file, or the URL of a redirect. */
async function request(url: URL, options: SourceOptions): Promise<OpenSource | URL> {
  using late = timer(options.responseTimeout);
  const signal = AbortSignal.any([options.signal, late.signal]);
  let connection: ReceiverConnection | undefined;
  let isOpen = false;
  try {
    const addresses = await resolveTarget(url, { ...options, plainHttp: false, signal });
    connection = await ReceiverConnection.create(url.origin, addresses);
    const { statusCode, headers, body } = await connection.client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
      bodyTimeout: options.idleTimeout,
      reset: true,
      signal,
    });
    // The caller may close the connection before it reads the body. That is not an error.
    body.on('error', () => undefined);
    if (redirects.has(statusCode)) return redirectOf(url, headers['location']);
    if (statusCode !== 200) throw statusFault(statusCode, first(headers['retry-after']));
    requireKnownCoding(first(headers['content-encoding']));
    isOpen = true;
    const open = connection;
    const size = Number(first(headers['content-length']));
    return {
      body,
      size: Number.isSafeInteger(size) && headers['content-length'] !== undefined ? size : undefined,
      [Symbol.asyncDispose]: () => open.close(),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SourceFault) throw error;
    throw faultOf(late.signal.aborted ? new DeliveryError('timeout') : requestError(error));
  } finally {
    if (!isOpen) await connection?.close();
  }
}

/** A signal that is aborted after some milliseconds, unless it is disposed before. */
function timer(milliseconds: number): { readonly signal: AbortSignal } & Disposable {
  const late = new AbortController();
  const timeout = setTimeout(() => late.abort(), milliseconds);
  return { signal: late.signal, [Symbol.dispose]: () => clearTimeout(timeout) };
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function redirectOf(from: URL, header: string | string[] | undefined): URL {
  const location = first(header);
  const url = location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SourceFault('source_status', 'the server returned a redirect without a valid address', { isFinal: true });
  }
  // No credential is sent, so they would have no effect.
  url.username = '';
  url.password = '';
  return withoutDot(url);
}

/** The file is stored as it arrives. gzip is read by imports, whatever the header says. */
function requireKnownCoding(coding: string | undefined): void {
  if (coding === undefined || /^\s*(?:identity|gzip|x-gzip)?\s*$/i.test(coding)) return;
  const message = 'the server compressed the file in an unknown way, although the request did not allow it';
  throw new SourceFault('source_status', message, { isFinal: true });
}
