import { Client } from './client.ts';

/** API key of the first account of every service that the test starts. */
export const firstApiKey = 'rk_crash_test_first_account_of_the_service';

/** Operator token of every service that the test starts. */
export const adminToken = 'operator-token-of-the-long-crash-test';

/** A service under test: one address for each API process that is meant to run. */
export interface Target {
  readonly urls: readonly string[];
  /** What the service complained about lately, to explain a failure. */
  readonly complaints: readonly string[];
}

/** True when the service at an address is ready for work. */
export async function isReady(url: string): Promise<boolean> {
  using client = new Client();
  const reply = await client.send('GET', `${url}/readyz`, {});
  return reply.kind === 'answered' && reply.status === 200;
}

/** Calls an operation that must succeed, and answers its body; throws with the reply when it does not. */
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
