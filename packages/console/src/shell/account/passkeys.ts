/**
 * Tells whether this page can use passkeys. They need a secure page with a host name: browsers refuse
 * IP addresses.
 */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && isSecureContext && !isAtIpAddress();
}

/** Tells whether the page has the IP address of this machine, which `localhost` also names. */
export function isAtLoopback(): boolean {
  return /^(127\.0\.0\.1|\[::1\])$/.test(location.hostname);
}

function isAtIpAddress(): boolean {
  return /^[\d.]+$|:/.test(location.hostname);
}
