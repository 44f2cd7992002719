/**
 * Measures ingest: contacts sent over the API until they are searchable. The floor is a
 * set-based upsert, as fast as we can write it, on one connection into an identical table on the
 * same server. Both run in turn. The processor time of each process for one contact varies less than
 * the rate when other programs run.
 *
 * `npm run bench:ingest -- [--contacts 500000] [--million] [--waiting] [--singles] [--batch-add]`
 */
import { parseArgs } from 'node:util';
import { addCpu, cpuBetween, describeCalibration, describeCpu, noCpu } from './cpu-time.ts';
import { createFloor } from './ingest-floor.ts';
import { lists, person } from './people.ts';
import { batchAdd } from './ingest-batch-add.ts';
import { singles } from './ingest-singles.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '500000' },
    million: { type: 'boolean', default: false },
    waiting: { type: 'boolean', default: false },
    singles: { type: 'boolean', default: false },
    'batch-add': { type: 'boolean', default: false },
  },
});
const perRequest = 1000;
const connections = 4;
const slice = 100_000;

await using service = await startBenchService({ ROSTER_CALLBACK_ALLOW: '127.0.0.1' });
for (let n = 2; n <= lists; n++) await service.operator('POST', '/lists', { name: `List ${n}` });
const database = await service.database();
await database.query(`
  insert into attributes (account_id, attribute_id, name, data_type, created_at, updated_at) values (1, 11, 'SCORE', 'number', now(), now())`);
await database.query('update account_numbers set last_attribute_id = 11 where account_id = 1');

if (options.singles) await singles(service);
else if (options['batch-add']) await batchAdd(service, Number(options.contacts));
else if (options.million) await million();
else if (options.waiting) await waiting();
else await compare(Number(options.contacts));
await database.end();

/**
 * Compares inserts and updates with the floor. They take turns slice by slice, because the speed of
 * a shared machine varies.
 */
async function compare(contacts: number): Promise<void> {
  const order = shuffled(contacts);
  const floors = await Promise.all([1000, 5000].map((rows) => createFloor(database, rows)));
  for (const [version, pass] of ['insert', 'update'].entries()) {
    let seconds = 0;
    let memory = 0;
    let cpu = noCpu;
    const byHand = floors.map(() => 0);
    for (let from = 0; from < contacts; from += slice) {
      const part = order.slice(from, from + slice);
      const loaded = await load(part, version);
      seconds += loaded.seconds;
      memory = Math.max(memory, loaded.memory);
      cpu = addCpu(cpu, loaded.cpu);
      for (const [at, floor] of floors.entries()) byHand[at]! += await floor.upsert(part, version);
    }
    const found = await service.post('/contact/search', {
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'is_not_null' }] }],
      output: { get_count: true, pagination: { limit: 1 } },
    });
    if (found['count'] !== contacts)
      throw new Error(`${String(found['count'])} contacts are searchable, not ${contacts}`);
    const best = Math.min(...byHand);
    console.log(
      `${pass}: ${(contacts / seconds).toFixed(0)} contacts/s through the service, ${(contacts / best).toFixed(0)}/s floor ` +
        `(${floors[byHand.indexOf(best)]!.rows} rows per statement), ratio ${(best / seconds).toFixed(2)}; ` +
        `maximum memory of the service ${memory.toFixed(0)} MiB`,
    );
    console.log(`${pass}: ${describeCpu(cpu, contacts, 'contact')}`);
  }
  console.log(describeCalibration(bodiesOf(order.slice(0, slice), 0)));
}

/**
 * Compares the rate of the last 100,000 of 1,000,000 contacts with that of the first 100,000, and
 * measures the memory.
 */
async function million(): Promise<void> {
  const order = shuffled(1_000_000);
  const rates: number[] = [];
  let memory = 0;
  for (let from = 0; from < order.length; from += 100_000) {
    const part = await load(order.slice(from, from + 100_000), 0);
    rates.push(100_000 / part.seconds);
    memory = Math.max(memory, part.memory);
    console.log(`${from + 100_000} contacts: ${rates.at(-1)!.toFixed(0)} contacts/s`);
  }
  console.log(
    `last / first: ${(rates.at(-1)! / rates[0]!).toFixed(2)}; maximum memory of the service ${memory.toFixed(0)} MiB`,
  );
}

/**
 * Measures the memory of the service while 1,000 requests with 1,000 contacts each wait, and while
 * they are applied.
 */
async function waiting(): Promise<void> {
  await service.signalWorker('SIGSTOP');
  const order = shuffled(1_000_000);
  let memory = 0;
  const watch = setInterval(() => void service.memory().then((now) => (memory = Math.max(memory, now))), 500);
  await send(bodiesOf(order, 0));
  const { rows } = await database.query('select count(*) as requests from request_queue');
  console.log(`${rows[0].requests} requests wait: maximum memory of the service so far ${memory.toFixed(0)} MiB`);
  await service.signalWorker('SIGCONT');
  await service.drained();
  clearInterval(watch);
  console.log(`applied: maximum memory ${memory.toFixed(0)} MiB`);
}

/**
 * Sends contacts over several connections, and waits until all are applied. The bodies are prepared
 * before the clock starts, as for the floor.
 */
async function load(order: readonly number[], version: number) {
  const bodies = bodiesOf(order, version);
  let memory = 0;
  const watch = setInterval(() => void service.memory().then((now) => (memory = Math.max(memory, now))), 500);
  const cpuBefore = await service.cpu();
  const started = performance.now();
  await send(bodies);
  await service.drained();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  return { seconds, memory, cpu: cpuBetween(cpuBefore, await service.cpu()) };
}

function bodiesOf(order: readonly number[], version: number): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < order.length; from += perRequest) {
    const contacts = order.slice(from, from + perRequest).map((n) => {
      const { lists: listIds, ...contact } = person(n, version);
      return { ...contact, audience_details: [{ audience_id: listIds, audience_type: 'list' }] };
    });
    bodies.push(Buffer.from(JSON.stringify({ data: { contact_type: 'identified', contacts } })));
  }
  return bodies;
}

async function send(bodies: readonly Buffer[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await service.post('/contact/create', bodies[next++]);
    }),
  );
}
