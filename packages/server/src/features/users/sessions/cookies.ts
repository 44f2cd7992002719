import cookie from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#platform/config/config.ts';

/** The cookies of the service. `session`: a session. `step`: the middle of a sign-in. */
export type CookieName = 'session' | 'step';

type CookieConfig = Pick<Config, 'publicUrl'>;

/** Sets a header of the response. A second cookie does not replace the first. */
type SetHeader = (name: string, value: string) => void;

/** Reads a cookie of a request; undefined if it is missing or blank. */
export function readCookie(config: CookieConfig, { headers }: Pick<FastifyRequest, 'headers'>, name: CookieName) {
  const value = headers.cookie === undefined ? undefined : cookie.parse(headers.cookie)[fullName(config, name)];
  return value === undefined || value === '' ? undefined : value;
}

/** Sets a cookie for a number of seconds. */
export function setCookie(
  config: CookieConfig,
  setHeader: SetHeader,
  { name, value, seconds }: { readonly name: CookieName; readonly value: string; readonly seconds: number },
): void {
  setHeader(
    'set-cookie',
    cookie.serialize(fullName(config, name), value, {
      path: '/',
      httpOnly: true,
      // A link from a mail must find the person signed in, so it is not `strict`.
      sameSite: 'lax',
      secure: isSecure(config),
      maxAge: seconds,
    }),
  );
}

/** Removes a cookie. */
export function clearCookie(config: CookieConfig, setHeader: SetHeader, name: CookieName): void {
  setCookie(config, setHeader, { name, value: '', seconds: 0 });
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
