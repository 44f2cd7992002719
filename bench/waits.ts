/**
 * Measures what it costs to wait for the outcome of a request, and whether waiting callers slow down
 * others.
 *
 * - `latency`: one caller creates single contacts: without a wait (the floor), with a wait, and as
 *   it had to do before, by asking for the request every 10 ms.
 * - `accounts`: 8 and 32 callers of one account, then of eight, create single contacts one after the
 *   other and wait for each. Small batches of many accounts cost most.
 * - `callers`: 500 and 2,000 callers of four accounts wait while the worker is paused. Another
 *   account creates a contact 20 times a second. Then the worker continues.
 * - `backlog`: 2,000 accounts have one waiting request each, because the worker is paused. Measures
 *   how long the worker needs for them when it continues.
 *
 * `npm run bench:waits -- [--seconds 10] [--only latency|accounts|callers|backlog]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { cpuBetween, describeCpu } from './cpu-time.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const milliseconds = Number(options.seconds) * 1000;

await using service = await startBenchService({ ROSTER_RATE_LIMIT: '0' });
// A new one for each part: the service may just close a connection that was idle for long.
let agent = new Agent({ connections: 5000 });
let contacts = 0;
const isWanted = (part: string): boolean => options.only === undefined || options.only === part;
if (isWanted('latency')) await compareLatencies();
if (isWanted('accounts')) {
  for (const accounts of [1, 8]) {
    for (const callers of [8, 32]) await measureAccounts(accounts, callers);
  }
}
if (isWanted('callers')) {
  for (const callers of [500, 2000]) await measureCallers(callers);
}
if (isWanted('backlog')) await measureBacklog(2000);
await agent.close();

interface Answer {
  readonly request_id: string;
  readonly outcome?: { readonly counts: { readonly created: number } };
}

/** Creates one contact and returns the answer. */
async function create(apiKey: string, wait?: number): Promise<Answer> {
  const contact = { identity: `p${contacts++}@example.com`, attributes: { CITY: 'Pune' } };
  const answer = await request(`${service.url}/v5/contact/create`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'api-key': apiKey,
      'content-type': 'application/json',
      ...(wait === undefined ? {} : { prefer: `wait=${wait}` }),
    },
    body: JSON.stringify({ data: { contact_type: 'identified', contacts: [contact] } }),
  });
  if (answer.statusCode !== 200) throw new Error(await answer.body.text());
  return (await answer.body.json()) as Answer;
}

async function createAccount(): Promise<string> {
  const { account_id: id } = await service.admin('POST', '/accounts', { name: 'Benchmark' });
  const scopes = ['contacts:write', 'requests:read'];
  const made = await service.admin('POST', `/accounts/${String(id)}/api-keys`, { name: 'Benchmark', scopes });
  return made['api_key'] as string;
}

/** Returns the milliseconds of each call, one after the other, until the time is over. */
async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const from = performance.now();
    await call();
    times.push(performance.now() - from);
  }
  return times;
}

async function compareLatencies(): Promise<void> {
  const apiKey = await createAccount();
  const pollUntilDone = async (): Promise<void> => {
    const { request_id: id } = await create(apiKey);
    for (;;) {
      const answer = await request(`${service.url}/v5/requests/${id}`, {
        dispatcher: agent,
        headers: { 'api-key': apiKey },
      });
      const { data } = (await answer.body.json()) as { data: { status: string }[] };
      if (data[0]!.status === 'done') return;
      await sleep(10);
    }
  };
  const ways = {
    'without a wait (floor)': () => create(apiKey),
    'with Prefer: wait=10': async () => {
      if ((await create(apiKey, 10)).outcome?.counts.created !== 1) throw new Error('there is no outcome');
    },
    'by asking every 10 ms': pollUntilDone,
  };
  await timesOf(ways['without a wait (floor)']);
  for (const [name, call] of Object.entries(ways)) {
    await service.drained();
    const before = await service.cpu();
    const times = await timesOf(call);
    const { API: api, PostgreSQL: postgres } = cpuBetween(before, await service.cpu());
    console.log(
      `${name}: ${text(times)}; CPU of a call: API ${(api / times.length).toFixed(1)} ms, PostgreSQL ${(postgres / times.length).toFixed(1)} ms`,
    );
  }
}

async function measureAccounts(accounts: number, callers: number): Promise<void> {
  const keys = await Promise.all(Array.from({ length: accounts }, createAccount));
  const before = await service.cpu();
  const times = await Promise.all(
    Array.from({ length: callers }, (_, at) => timesOf(() => create(keys[at % accounts]!, 10))),
  );
  const cpu = cpuBetween(before, await service.cpu());
  const calls = times.flat();
  console.log(
    `${callers} callers of ${accounts} account(s): ${((calls.length * 1000) / milliseconds).toFixed(0)} calls/s, ${text(calls)}; ` +
      describeCpu(cpu, calls.length, 'call'),
  );
}

/** Returns the milliseconds of the calls of a quiet account, 20 a second. */
async function watchQuiet(apiKey: string): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const from = performance.now();
    await create(apiKey);
    times.push(performance.now() - from);
    await sleep(Math.max(0, 50 - (performance.now() - from)));
  }
  return times;
}

async function measureCallers(callers: number): Promise<void> {
  await agent.close();
  agent = new Agent({ connections: 5000 });
  const quiet = await createAccount();
  const keys = await Promise.all(Array.from({ length: 4 }, createAccount));
  await watchQuiet(quiet);
  await service.drained();
  await service.signalWorker('SIGSTOP');
  const idle = await watchQuiet(quiet);
  const memory = await service.memory();
  const waiting: Promise<Answer>[] = [];
  for (let at = 0; at < callers; at++) {
    waiting.push(create(keys[at % keys.length]!, 30));
    // Not all at once: the process must accept the connections, and the requests in flight of an
    // account are limited.
    if (at % 20 === 19) await sleep(80);
  }
  const all = Promise.all(waiting);
  // A failure is thrown below, after the service has been measured.
  all.catch(() => undefined);
  await sleep(2000);
  const before = await service.cpu();
  const from = performance.now();
  const busy = await watchQuiet(quiet);
  const seconds = (performance.now() - from) / 1000;
  const { API: api, PostgreSQL: postgres } = cpuBetween(before, await service.cpu());
  const more = (await service.memory()) - memory;
  await service.signalWorker('SIGCONT');
  const resumed = performance.now();
  const answers = await all;
  const applied = performance.now() - resumed;
  const complete = answers.filter(({ outcome }) => outcome?.counts.created === 1).length;
  console.log(
    `${callers} callers wait: quiet account ${text(busy)} (without them ${text(idle)}, p50 ${(quantile(busy, 0.5) / quantile(idle, 0.5)).toFixed(2)} ×); ` +
      `CPU in a second: API ${(api / seconds).toFixed(0)} ms, PostgreSQL ${(postgres / seconds).toFixed(0)} ms; ${more.toFixed(0)} MiB more; ` +
      `${complete} outcomes, the last one ${applied.toFixed(0)} ms after the worker continued`,
  );
}

async function measureBacklog(accounts: number): Promise<void> {
  const keys: string[] = [];
  for (let at = 0; at < accounts; at++) keys.push(await createAccount());
  await service.drained();
  await service.signalWorker('SIGSTOP');
  for (const key of keys) await create(key);
  const before = await service.cpu();
  const from = performance.now();
  await service.signalWorker('SIGCONT');
  await service.drained();
  const seconds = (performance.now() - from) / 1000;
  const cpu = cpuBetween(before, await service.cpu());
  console.log(
    `${accounts} accounts with one request each: ${seconds.toFixed(1)} s, ${(accounts / seconds).toFixed(0)} a second; ` +
      describeCpu(cpu, accounts, 'request'),
  );
}

function text(times: readonly number[]): string {
  return `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms (${times.length} calls)`;
}
