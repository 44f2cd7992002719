import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { goodBody, hostileBodies, search, single, type HostileBody } from './hostile-bodies.ts';

/** The task of the sender thread. It sends the named bodies in turn. */
export interface Sending {
  readonly connections: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly bodies: readonly string[];
  readonly url: string;
  readonly apiKey: string;
  readonly adminToken: string;
}

/** Sends a body and returns the status. */
export async function send(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
  dispatcher: Agent,
): Promise<number> {
  const options = { method: 'POST', body, dispatcher, headersTimeout: 0, bodyTimeout: 0 } as const;
  const answer = await request(`${url}${path}`, {
    ...options,
    headers: { 'content-type': 'application/json', ...headers },
  });
  await answer.body.dump();
  return answer.statusCode;
}

/** Returns the headers of a body. */
export function headersOf(
  headers: HostileBody['headers'],
  { apiKey, adminToken }: Pick<Sending, 'apiKey' | 'adminToken'>,
): Record<string, string> {
  const operator = { authorization: `Bearer ${adminToken}` };
  if (headers === 'key') return { 'api-key': apiKey };
  if (headers === 'operator') return operator;
  if (headers === 'compressed') return { ...operator, 'content-encoding': 'gzip' };
  return headers;
}

async function sendAll(sending: Sending): Promise<number> {
  const { connections, duration, url } = sending;
  const bodies = [goodBody, single, search, ...hostileBodies].filter(({ name }) => sending.bodies.includes(name));
  // Generate all bodies before the clock starts.
  for (const { body } of bodies) body();
  const agent = new Agent({ connections, pipelining: 1 });
  const until = performance.now() + duration;
  let sent = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const { path, headers, body } = bodies[sent++ % bodies.length]!;
        // A connection that ends with a refusal is not a failure of the benchmark.
        await send(url, path, headersOf(headers, sending), body(), agent).catch(() => sleep(10));
      }
    }),
  );
  await agent.close();
  return sent;
}

if (!isMainThread) parentPort!.postMessage(await sendAll(workerData as Sending), []);
