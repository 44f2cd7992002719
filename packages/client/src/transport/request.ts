import type { Operation } from '../wire/operations.ts';

/** The parts of a request. */
export interface RequestParts {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: object | undefined;
  /** Sends an operation of API keys below the path of this account. */
  readonly accountId?: number | undefined;
  readonly body?: unknown;
  /** The body as JSON text, instead of `body`. */
  readonly json?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  /** Headers that only this operation has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Seconds for which the service may wait until the request is applied. */
  readonly wait?: number | undefined;
}

/** Returns the base URL, to which paths of operations are added. Throws a TypeError if invalid. */
export function baseOf(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError('url must be the address of the service, such as https://roster.example.com');
  }
  return text.replace(/\/+$/, '');
}

/** Checks a credential. Throws a TypeError that does not contain the credential. */
export function credentialOf(name: string, text: string | undefined): string {
  // A JavaScript program can pass undefined, for example from its environment. The header would
  // then have the text "undefined".
  if (typeof text === 'string' && /^[\u0021-\u007e]+$/.test(text)) return text;
  throw new TypeError(`${name} must be a string of printable ASCII characters without spaces`);
}

/**
 * Builds the URL and the options of a request. Throws a TypeError if a path parameter is missing.
 */
export function requestOf(
  base: string,
  operation: Operation,
  input: RequestParts,
  commonHeaders: Readonly<Record<string, string>>,
): { readonly url: URL; readonly init: RequestInit } {
  const parameters: Readonly<Record<string, string | number>> = input.path ?? {};
  const pattern =
    input.accountId === undefined
      ? operation.path
      : operation.path.replace(/^\/v5/, `/admin/v1/accounts/${input.accountId}`);
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    // With an empty parameter, the path would be that of another operation.
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const url = new URL(base + path);
  const query = (input.query ?? {}) as Readonly<Record<string, string | number | undefined>>;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { ...commonHeaders, ...input.headers, accept: 'application/json' };
  const body = input.json ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (operation.repeat === 'with-key') headers['idempotency-key'] = input.idempotencyKey ?? randomKey();
  if (input.ifMatch !== undefined) headers['if-match'] = input.ifMatch;
  if (input.wait !== undefined) headers['prefer'] = `wait=${input.wait}`;
  return { url, init: { method: operation.method, headers, ...(body === undefined ? {} : { body }) } };
}

/** Returns 128 random bits. Web pages without TLS have no `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
