import { Client } from './client.ts';

/** The API key of the first account of every service that the test starts. */
export const firstApiKey = 'rk_crash_test_first_account_of_the_service';

/** The operator token of every service that the test starts. */
export const adminToken = 'operator-token-of-the-long-crash-test';

/** A service under test. It has one URL for each API process that should run. */
export interface Target {
  readonly urls: readonly string[];
  /** The latest warnings and errors of the service, to explain a failure. */
  readonly complaints: readonly string[];
  /** Resolves when the database has finished what a disturbance has interrupted. Default: at once. */
  settled?(): Promise<void>;
}

/** Whether the service at a URL is ready. */
export async function isReady(url: string): Promise<boolean> {
  using client = new Client();
  const reply = await client.send('GET', `${url}/readyz`, {});
  return reply.kind === 'answered' && reply.status === 200;
}

/** Whether the service at a URL serves an account. */
export async function isServed(url: string, accountId: number): Promise<boolean> {
  return (await answerFor(url, accountId)).status < 500;
}

/** The answer to a small read of an account; status 599 when there is none. */
export async function answerFor(
  url: string,
  accountId: number,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  using client = new Client();
  const headers = { authorization: `Bearer ${adminToken}` };
  const reply = await client.send('GET', `${url}/admin/v1/accounts/${accountId}/lists?limit=1`, headers);
  return reply.kind === 'answered' ? reply : { status: 599, body: {} };
}

/**
 * Calls an operation that must succeed, and returns its body. Otherwise throws an error with the
 * reply.
 */
export async function call(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Record<string, unknown>> {
  using client = new Client();
  const reply = await client.send(method, url, headers, body);
  if (reply.kind === 'answered' && reply.status < 300) return reply.body;
  throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(reply)}`);
}

/** Calls the operator API. */
export function operator(
  target: Target,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  return call(method, `${target.urls[0]}/admin/v1${path}`, { authorization: `Bearer ${adminToken}` }, body);
}
