/**
 * Measures ingest: contacts sent over the API until they are searchable. The floor is a
 * set-based upsert, as fast as we can write it, on one connection into an identical table on the
 * same server. Both run in turn. The processor time of each process for one contact varies less than
 * the rate when other programs run.
 *
 * `npm run bench:ingest -- [--contacts 500000] [--waiting] [--singles] [--batch-add]`
 */
import { parseArgs } from 'node:util';
import { addCpu, describeCalibration, describeCpu, noCpu } from './cpu-time.ts';
import { createFloor } from './ingest-floor.ts';
import { makeLists } from './fill.ts';
import { batchAdd } from './ingest-batch-add.ts';
import { bodiesOf, load, send } from './ingest-load.ts';
import { singles } from './ingest-singles.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '500000' },
    waiting: { type: 'boolean', default: false },
    singles: { type: 'boolean', default: false },
    'batch-add': { type: 'boolean', default: false },
  },
});
const slice = 100_000;

await using service = await startBenchService({ ROSTER_CALLBACK_ALLOW: '127.0.0.1' });
const database = await service.database();
await makeLists(service, database);

if (options.singles) await singles(service);
else if (options['batch-add']) await batchAdd(service, Number(options.contacts));
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
      const loaded = await load(service, part, version);
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
 * Measures the memory of the service while 1,000 requests with 1,000 contacts each wait, and while
 * they are applied.
 */
async function waiting(): Promise<void> {
  await service.signalWorker('SIGSTOP');
  const order = shuffled(1_000_000);
  let memory = 0;
  const watch = setInterval(() => void service.memory().then((now) => (memory = Math.max(memory, now))), 500);
  await send(service, bodiesOf(order, 0));
  const { rows } = await database.query('select count(*) as requests from request_queue');
  console.log(`${rows[0].requests} requests wait: maximum memory of the service so far ${memory.toFixed(0)} MiB`);
  await service.signalWorker('SIGCONT');
  await service.drained();
  clearInterval(watch);
  console.log(`applied: maximum memory ${memory.toFixed(0)} MiB`);
}
