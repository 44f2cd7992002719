import type { Operation } from '../wire/operations.ts';

/** What makes a request of an operation. */
export interface RequestParts {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** The body as JSON that is made already. */
  readonly json?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The address before the paths of the operations. Throws a TypeError when it is none. */
export function baseOf(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError('url must be the address of the service, such as https://roster.example.com');
  }
  return text.replace(/\/+$/, '');
}

/** Checks that a credential is one: what a program finds in its environment is often nothing. Throws a TypeError, without the text. */
export function credentialOf(name: string, text: string): string {
  // Also where the types were not heard: a header would become the word "undefined".
  if (typeof text === 'string' && /^[\u0021-\u007e]+$/.test(text)) return text;
  throw new TypeError(`${name} must be a text of printable ASCII characters without spaces`);
}

/** Where a request goes, and what it carries. Throws a TypeError when a place of the path has no value. */
export function requestOf(
  base: string,
  operation: Operation,
  input: RequestParts,
  given: Readonly<Record<string, string>>,
): { readonly url: URL; readonly init: RequestInit } {
  const places: Readonly<Record<string, string | number>> = input.path ?? {};
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = places[name];
    // An empty place would make the path that of another operation.
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const url = new URL(base + path);
  const query = (input.query ?? {}) as Readonly<Record<string, string | number | undefined>>;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { ...given, accept: 'application/json' };
  const body = input.json ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (operation.repeat === 'with-key') headers['idempotency-key'] = input.idempotencyKey ?? randomKey();
  return { url, init: { method: operation.method, headers, ...(body === undefined ? {} : { body }) } };
}

/** 128 random bits. `crypto.randomUUID` is missing in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
