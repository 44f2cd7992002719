import type { FastifyRequest } from 'fastify';
// Adds the functions for cookies to the types of Fastify.
import '@fastify/cookie';
import type { Config } from '#platform/config/config.ts';

/** The cookies of the service. `session`: a session. `step`: the middle of a sign-in. */
export type CookieName = 'session' | 'step';

type CookieConfig = Pick<Config, 'publicUrl'>;

/** The parts of a request that read and set cookies. */
export interface CookieRequest {
  readonly incoming: FastifyRequest;
  /** Sets a header of the response. A second cookie does not replace the first. */
  readonly setHeader: (name: string, value: string) => void;
}

/** Reads a cookie of a request; undefined if it is missing or blank. */
export function readCookie(
  config: CookieConfig,
  { headers, server }: FastifyRequest,
  name: CookieName,
): string | undefined {
  const value = headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[fullName(config, name)];
  return value === '' ? undefined : value;
}

/** Sets a cookie for a number of seconds. */
export function setCookie(
  config: CookieConfig,
  { incoming, setHeader }: CookieRequest,
  { name, value, seconds }: { readonly name: CookieName; readonly value: string; readonly seconds: number },
): void {
  const options = {
    path: '/',
    httpOnly: true,
    // A link from a mail must find the person signed in, so it is not `strict`.
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: seconds,
  } as const;
  setHeader('set-cookie', incoming.server.serializeCookie(fullName(config, name), value, options));
}

/** Removes a cookie. */
export function clearCookie(config: CookieConfig, request: CookieRequest, name: CookieName): void {
  setCookie(config, request, { name, value: '', seconds: 0 });
}

/**
 * Returns the name of a cookie. With TLS, the prefix `__Host-` prevents that another host of the
 * same domain sets it.
 */
function fullName(config: CookieConfig, name: CookieName): string {
  return `${isSecure(config) ? '__Host-' : ''}roster_${name}`;
}

function isSecure({ publicUrl }: CookieConfig): boolean {
  return publicUrl?.startsWith('https://') === true;
}
