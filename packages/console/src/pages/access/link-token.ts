import { useEffect, useState } from 'react';

let found: string | undefined;

/**
 * Returns the token in the address of a link (`#token=…`), also of a link that is opened while its
 * page is already shown, and removes it from the address. So it is not in screenshots, the history
 * or a copied address. Returns an empty string without one.
 */
export function useLinkToken(): string {
  const [token, setToken] = useState(takeLinkToken);
  useEffect(() => {
    // The browser does not load a page again if only this part of the address is different.
    const take = (): void => setToken(takeLinkToken());
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}

function takeLinkToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    found = token;
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return found ?? '';
}
