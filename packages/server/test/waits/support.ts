import type { Answer, TestAccount, TestService } from '../support/service.ts';

/** The body of a contact create. */
export const people = (...contacts: object[]) => ({ data: { contact_type: 'identified', contacts } });

/** The headers of a call that waits. */
export const waiting = (seconds: number | string, more: Record<string, string> = {}) => ({
  prefer: `wait=${seconds}`,
  ...more,
});

/** Makes an API key of an account. */
export async function keyOf(account: TestAccount, ...scopes: string[]): Promise<string> {
  return (await account.operator('POST', '/api-keys', { name: 'Test', scopes })).body.api_key;
}

/** Gets a request with an API key. */
export function getRequest(
  service: TestService,
  apiKey: string,
  requestId: string,
  headers: Record<string, string> = {},
  path = '/v5/requests',
): Promise<Answer> {
  return service.call('GET', `${path}/${requestId}`, { headers: { 'api-key': apiKey, ...headers } });
}

/** Runs something, and returns its result with the milliseconds that it took. */
export async function timed<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const from = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - from };
}
