import { callbackLimits, type Faults } from '@roster/contract';
import { isPublic, parseAddress } from '#platform/config/address.ts';
import { allowsAddress, allowsHost, bareHost, type AllowList } from '#platform/config/allow-list.ts';

/** Rules for callback URLs. */
export interface CallbackUrlRules {
  /** Hosts and networks that the operator allows: `config.callbackAllow`. */
  readonly allow: AllowList;
  /** True: plain HTTP is allowed to any public host. False: only to hosts in `allow`. */
  readonly plainHttp: boolean;
}

/** The form of a URL, and the words for it in faults. */
export interface UrlForm {
  /** Maximum characters after percent-encoding. */
  readonly maxLength: number;
  readonly example: string;
  /** Where a user name and password belong instead of the URL. */
  readonly secretsBelong: string;
}

const callbackForm: UrlForm = {
  maxLength: callbackLimits.urlLength,
  example: 'https://hooks.example.com/roster',
  secretsBelong: 'Send them in a header',
};

/**
 * Checks a callback URL, or another URL of a caller, when a request is accepted. Returns the URL,
 * or reports a fault.
 *
 * The host name is resolved when the URL is used. Its addresses are checked then, because they can
 * change in between.
 */
export function checkCallbackUrl(
  text: string,
  rules: CallbackUrlRules,
  faults: Faults,
  form: UrlForm = callbackForm,
): URL | undefined {
  const url = readCallbackUrl(text, faults, form);
  if (url === undefined) return undefined;
  const refusal = refusalOf(url, rules);
  return refusal === undefined ? url : faults.add('not_allowed', refusals[refusal]);
}

/** Checks only the form of a callback URL, not its host. Returns the URL, or reports a fault. */
export function readCallbackUrl(
  text: string,
  faults: Faults,
  { maxLength, example, secretsBelong }: UrlForm = callbackForm,
): URL | undefined {
  if (text.length > maxLength) {
    return faults.add('too_long', `must have at most ${maxLength} characters`);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return faults.add('invalid_format', `must be a whole URL that begins with https://, such as ${example}`);
  }
  // Encoding makes characters outside ASCII longer.
  if (url.href.length > maxLength) {
    return faults.add('too_long', `must have at most ${maxLength} characters, after it is percent-encoded`);
  }
  if (url.username !== '' || url.password !== '') {
    return faults.add('not_allowed', `must not have a user name or password in the URL. ${secretsBelong}`);
  }
  return url;
}

const refusals = {
  private_address:
    'must not lead to a private or reserved address. An operator can allow the host with ROSTER_CALLBACK_ALLOW',
  plain_http: 'must begin with https://. An operator can allow plain HTTP to a host with ROSTER_CALLBACK_ALLOW',
} as const;

/**
 * Returns why a URL is not allowed, without resolving its host name; undefined when it is allowed.
 */
export function refusalOf(url: URL, { allow, plainHttp }: CallbackUrlRules): keyof typeof refusals | undefined {
  if (allowsHost(allow, url)) return undefined;
  const host = bareHost(url.hostname);
  const address = parseAddress(host);
  if (address !== undefined && allowsAddress(allow, address)) return undefined;
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal || (address !== undefined && !isPublic(address))) return 'private_address';
  return url.protocol === 'http:' && !plainHttp ? 'plain_http' : undefined;
}
