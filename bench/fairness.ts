/**
 * Measures how much one caller can slow down others: the cost of hostile and valid bodies, and the
 * latency of a quiet account during hostile bodies and during floods of another account.
 *
 * `npm run bench:fairness -- [--seconds 20] [--only cost|bodies|flood]`
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { headersOf, send, type Sending } from './fairness-sender.ts';
import { goodBody, hostileBodies, search, single, type HostileBody } from './hostile-bodies.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, only: { type: 'string' } },
});
const milliseconds = Number(options.seconds) * 1000;

await using service = await startBenchService({ ROSTER_RATE_LIMIT: '0' });
const quiet = await createAccount();
const isWanted = (part: string): boolean => options.only === undefined || options.only === part;
if (isWanted('cost')) await compareCosts();
if (isWanted('bodies')) await sendHostileBodies();
if (isWanted('flood')) {
  await flood(single, 500);
  await flood(search, 300);
}

/** Creates another account, and returns its API key. */
async function createAccount(): Promise<string> {
  const answer = await request(`${service.url}/admin/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Quiet' }),
  });
  return ((await answer.body.json()) as { api_key: string }).api_key;
}

/**
 * Compares the processor time of the API for each hostile body with that for the most expensive
 * valid body. Takes the median of three rounds.
 */
async function compareCosts(): Promise<void> {
  await createAttributes();
  const agent = new Agent({ connections: 1 });
  const bodies: HostileBody[] = [goodBody, ...hostileBodies];
  const costs = bodies.map(() => [] as number[]);
  const statuses = bodies.map(() => 0);
  for (let round = 0; round < 3; round++) {
    for (const [at, { path, headers, body }] of bodies.entries()) {
      const before = await service.apiCpu();
      statuses[at] = await send(service.url, path, headersOf(headers, service), body(), agent);
      costs[at]!.push((await service.apiCpu()) - before);
    }
  }
  await agent.close();
  const good = quantile(costs[0]!, 0.5);
  for (const [at, { name }] of bodies.entries()) {
    const cost = quantile(costs[at]!, 0.5);
    console.log(
      `${name}: status ${statuses[at]}, ${cost.toFixed(0)} ms CPU of the API, ${(cost / good).toFixed(2)} × the most expensive valid body`,
    );
  }
}

/** Creates the attributes of the valid body, so that its contacts can be applied. */
async function createAttributes(): Promise<void> {
  for (let from = 0; from < 490; from += 98) {
    const data = Array.from({ length: 98 }, (_, at) => ({ name: `ATTRIBUTE_${from + at}`, data_type: 'text' }));
    await service.post('/client/attribute/create', { data });
  }
  await service.drained();
}

/**
 * Measures the latency of a second account while one caller sends hostile bodies over eight
 * connections without a pause.
 */
async function sendHostileBodies(): Promise<void> {
  const idle = await watchQuiet(20, milliseconds / 2);
  console.log(`second account on an idle service: ${text(idle)}`);
  const groups = {
    'with a valid key': hostileBodies.filter(({ headers }) => headers === 'key'),
    'with unknown keys and paths': hostileBodies.filter(({ headers }) => typeof headers === 'object'),
  };
  for (const [name, bodies] of Object.entries(groups)) {
    const names = bodies.map((body) => body.name);
    const { latencies, sent } = await whileSending(8, milliseconds, names, () => watchQuiet(20, milliseconds));
    console.log(`${sent} hostile bodies ${name}: second account ${text(latencies)}`);
  }
}

/**
 * Measures the latency of an account with one request a second, while another account sends a body
 * over many connections.
 */
async function flood({ name }: HostileBody, connections: number): Promise<void> {
  const idle = await watchQuiet(1000, milliseconds * 2);
  console.log(`quiet account on an idle service: ${text(idle)}`);
  const { latencies, sent } = await whileSending(connections, milliseconds * 2, [name], () =>
    watchQuiet(1000, milliseconds * 2),
  );
  console.log(
    `${name} over ${connections} connections of one account, ${(sent / ((milliseconds * 2) / 1000)).toFixed(0)}/s: quiet account ${text(latencies)}, ` +
      `p99 ${(quantile(latencies, 0.99) / quantile(idle, 0.99)).toFixed(1)} × that on an idle service`,
  );
}

/**
 * Sends bodies over some connections without a pause while `watch` runs. The sender is a thread, so
 * that it does not delay the watch.
 */
async function whileSending(
  connections: number,
  duration: number,
  bodies: readonly string[],
  watch: () => Promise<number[]>,
): Promise<{ latencies: number[]; sent: number }> {
  const { url, apiKey, adminToken } = service;
  const workerData: Sending = { connections, duration, bodies, url, apiKey, adminToken };
  const sender = new Worker(new URL('fairness-sender.ts', import.meta.url), { workerData });
  const ended = once(sender, 'message') as Promise<[number]>;
  await once(sender, 'online');
  const latencies = await watch();
  return { latencies, sent: (await ended)[0] };
}

/**
 * Sends a contact create of the quiet account every `pause` milliseconds. Returns the latencies in
 * milliseconds.
 */
async function watchQuiet(pause: number, duration: number): Promise<number[]> {
  const agent = new Agent({ connections: 1 });
  const latencies: number[] = [];
  const until = performance.now() + duration;
  for (let n = 0; performance.now() < until; n++) {
    const body = Buffer.from(
      JSON.stringify({ data: { contact_type: 'identified', contacts: [{ identity: `q${n}@example.com` }] } }),
    );
    const started = performance.now();
    const status = await send(service.url, '/v5/contact/create', { 'api-key': quiet }, body, agent);
    latencies.push(performance.now() - started);
    if (status !== 200) throw new Error(`the quiet account got status ${status}`);
    await sleep(pause);
  }
  await agent.close();
  return latencies;
}

function text(latencies: readonly number[]): string {
  return `p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms (${latencies.length} requests)`;
}
