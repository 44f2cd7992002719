let found: string | undefined;

/**
 * Returns the token in the address of a link (`#token=…`), and removes it from the address, so that
 * it is not in screenshots, the history or a copied address. Returns an empty string without one.
 */
export function takeLinkToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    found = token;
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return found ?? '';
}
