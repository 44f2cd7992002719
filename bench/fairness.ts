/**
 * Fairness: what a caller can cost the others. Hostile bodies against good ones, and a flood of one account against a quiet one.
 *
 * `npm run bench:fairness -- [--seconds 20] [--only cost|bodies|flood]`
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { headersOf, send, type Sending } from './fairness-sender.ts';
import { goodBody, hostileBodies, single, type HostileBody } from './hostile-bodies.ts';
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
if (isWanted('flood')) await floodSingles();

/** A key of another account. */
async function createAccount(): Promise<string> {
  const answer = await request(`${service.url}/admin/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Quiet' }),
  });
  return ((await answer.body.json()) as { api_key: string }).api_key;
}

/** Processor time of the API for one hostile body against that for the worst good one, the median of three each, in turn. */
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
      `${name}: ${statuses[at]}, ${cost.toFixed(0)} ms of the API, ${(cost / good).toFixed(2)} of the worst good body`,
    );
  }
}

/** The attributes that the good body has, so that its contacts can be applied. */
async function createAttributes(): Promise<void> {
  for (let from = 0; from < 490; from += 98) {
    const data = Array.from({ length: 98 }, (_, at) => ({ name: `ATTRIBUTE_${from + at}`, data_type: 'text' }));
    await service.post('/client/attribute/create', { data });
  }
  await service.drained();
}

/** The latency of a second account while one caller sends hostile bodies over eight connections without pause. */
async function sendHostileBodies(): Promise<void> {
  const idle = await watchQuiet(20, milliseconds / 2);
  console.log(`second account on an idle service: ${text(idle)}`);
  const groups = {
    'under a good key': hostileBodies.filter(({ headers }) => headers === 'key'),
    'under unknown keys and paths': hostileBodies.filter(({ headers }) => typeof headers === 'object'),
  };
  for (const [name, bodies] of Object.entries(groups)) {
    const names = bodies.map((body) => body.name);
    const { latencies, sent } = await beside(8, milliseconds, names, () => watchQuiet(20, milliseconds));
    console.log(`hostile bodies ${name}, ${sent} in all: second account ${text(latencies)}`);
  }
}

/** The latency of an account that sends one request a second, while 500 connections of another one create single contacts. */
async function floodSingles(): Promise<void> {
  const idle = await watchQuiet(1000, milliseconds * 2);
  console.log(`quiet account on an idle service: ${text(idle)}`);
  const { latencies, sent } = await beside(500, milliseconds * 2, [single.name], () =>
    watchQuiet(1000, milliseconds * 2),
  );
  console.log(
    `500 connections of one account, ${(sent / ((milliseconds * 2) / 1000)).toFixed(0)}/s: quiet account ${text(latencies)}, ` +
      `p99 ${(quantile(latencies, 0.99) / quantile(idle, 0.99)).toFixed(1)} of that on an idle service`,
  );
}

/** Sends bodies over some connections without pause while `watch` runs. The sender is a thread, so that the watch does not wait for it. */
async function beside(
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

/** Milliseconds of creates of the quiet account, one every `pause` milliseconds. */
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
    if (status !== 200) throw new Error(`the quiet account got ${status}`);
    await sleep(pause);
  }
  await agent.close();
  return latencies;
}

function text(latencies: readonly number[]): string {
  return `p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms (${latencies.length} requests)`;
}
