/**
 * Tells whether an address is a path of this console. Sign-in returns only to such an address, so
 * that a link cannot lead to a foreign page.
 */
export function isLocal(address: string): boolean {
  if (!address.startsWith('/') || /[\\\n\r\t]/.test(address)) return false;
  const { origin, pathname } = new URL(address, location.origin);
  return origin === location.origin && !pathname.startsWith('//');
}
