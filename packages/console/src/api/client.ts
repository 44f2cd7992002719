import { createOperatorClient, type AccountOperator } from '@roster/client';

/**
 * The client of the API that all pages use. The browser adds the cookie of the session.
 *
 * It retries only shortly: a page shows at once that something is wrong, and offers to try again.
 */
export const client = createOperatorClient({
  url: location.origin,
  retries: { limit: 2, baseDelay: 200, maxRetryAfter: 2_000 },
});

/** Returns the operations of an account. Sends no request. */
export const account = (accountId: number): AccountOperator => client.account(accountId);
