import type { Faults } from '@roster/contract';
import { isPublic, parseAddress } from '#platform/config/address.ts';
import { allowsAddress, allowsHost, bareHost, type AllowList } from '#platform/config/allow-list.ts';

/** Most characters of the URL of a callback. */
const callbackUrlMaxLength = 2000;

/** Which URLs callbacks may have. */
export interface CallbackUrlRules {
  /** What the operator has opened: `config.callbackAllow`. */
  readonly allow: AllowList;
  /** True where plain HTTP to any public host is allowed; otherwise only to hosts that were opened. */
  readonly plainHttp: boolean;
}

/**
 * Checks the URL of a callback when it is accepted, and reports what is wrong with it at the present place; answers the URL when nothing is.
 *
 * Names are resolved, and their addresses checked, only when the callback is sent: until then they can change.
 */
export function checkCallbackUrl(text: string, rules: CallbackUrlRules, faults: Faults): URL | undefined {
  const url = readCallbackUrl(text, faults);
  if (url === undefined) return undefined;
  const refusal = refusalOf(url, rules);
  return refusal === undefined ? url : faults.add('not_allowed', refusals[refusal]);
}

/** Checks the form of the URL of a callback like {@link checkCallbackUrl}, and not where it leads. */
export function readCallbackUrl(text: string, faults: Faults): URL | undefined {
  if (text.length > callbackUrlMaxLength) {
    return faults.add('too_long', `must have at most ${callbackUrlMaxLength} characters`);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return faults.add(
      'invalid_format',
      'must be a whole URL that begins with https://, such as https://hooks.example.com/roster',
    );
  }
  // Characters outside ASCII become longer when they are encoded.
  if (url.href.length > callbackUrlMaxLength) {
    return faults.add('too_long', `must have at most ${callbackUrlMaxLength} characters, after it is percent-encoded`);
  }
  if (url.username !== '' || url.password !== '') {
    return faults.add('not_allowed', 'must not have a user name or password in the URL. Send them in a header');
  }
  return url;
}

const refusals = {
  private_address:
    'must not lead to a private or reserved address. An operator can allow the host with ROSTER_CALLBACK_ALLOW',
  plain_http: 'must begin with https://. An operator can allow plain HTTP to a host with ROSTER_CALLBACK_ALLOW',
} as const;

/** Why a well-formed URL is not allowed, as far as that can be said without resolving its host; undefined when it is. */
export function refusalOf(url: URL, { allow, plainHttp }: CallbackUrlRules): keyof typeof refusals | undefined {
  if (allowsHost(allow, url)) return undefined;
  const host = bareHost(url.hostname);
  const address = parseAddress(host);
  if (address !== undefined && allowsAddress(allow, address)) return undefined;
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal || (address !== undefined && !isPublic(address))) return 'private_address';
  return url.protocol === 'http:' && !plainHttp ? 'plain_http' : undefined;
}
