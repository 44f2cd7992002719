import { createOperatorClient, operations, type AccountOperator } from '@roster/client';
import { loadReasons } from '#texts/use-reasons.ts';

let onSignedOut = (): void => undefined;

/** Sets what happens when the service says that nobody is signed in. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Operations without a session. A failed sign-in is also 401. */
const withoutSession = new Set(
  Object.values(operations)
    .filter(({ credential }) => credential === 'none')
    .map(({ method, path }) => `${method} ${path}`),
);

/** Sends a request, and notes that the session has ended. A failure is said in the language of the page. */
async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.origin);
  if (response.status === 401 && !withoutSession.has(`${init?.method ?? 'GET'} ${pathname}`)) onSignedOut();
  if (!response.ok) await loadReasons();
  return response;
}

/**
 * The client of the API that all pages use. The browser adds the cookie of the session.
 *
 * It retries only shortly: a page shows at once that something is wrong, and offers to try again.
 */
export const client = createOperatorClient({
  url: location.origin,
  retries: { limit: 2, baseDelay: 200, maxRetryAfter: 2_000 },
  fetch: send,
});

/** Returns the operations of an account. Sends no request. */
export const account = (accountId: number): AccountOperator => client.account(accountId);
