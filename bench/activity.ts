/**
 * Measures two things:
 * - Recording activities over HTTP until they are stored. The floor is COPY on one connection into
 *   an identical partitioned table on the same server. Both run in turn in one run.
 * - Requests for the activity of one person, channel and week over HTTP, with a small and with a
 *   large table.
 *
 * `npm run bench:activity -- [--activities 10000000] [--contacts 1000000] [--slice 1000000]
 * [--queries 20000] [--small 1000000]`
 *
 * With `--derived`, it compares recording without and with derived attributes instead.
 */
import { parseArgs } from 'node:util';
import { activityAt, recordOf, weekOf } from './activity-data.ts';
import { compareDerived } from './derived-attributes.ts';
import { createActivityFloor } from './activity-floor.ts';
import { quantile, randomNumbers, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    activities: { type: 'string', default: '10000000' },
    contacts: { type: 'string', default: '1000000' },
    // A slice must be long. At its start the worker waits for requests, and at its end no more
    // requests arrive.
    slice: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '20000' },
    // The queries are measured for the first time at this number of activities.
    small: { type: 'string', default: '1000000' },
    derived: { type: 'boolean', default: false },
  },
});
const size = { activities: Number(options.activities), contacts: Number(options.contacts) };
const slice = Number(options.slice);
const small = Math.min(Number(options.small), size.activities);
const perRequest = 10_000;
const connections = 4;
const clients = 16;
// The first queries are not measured.
const warmUp = 2000;

await using service = await startBenchService();
if (options.derived) {
  await compareDerived(service, size, slice);
  await service[Symbol.asyncDispose]();
  process.exit();
}
const database = await service.database();
await database.query(
  `insert into contacts (account_id, contact_id, contact_key, contact_type, email, created_at, updated_at)
   select 1, n + 1, key, 'identified', key, now(), now() from (select n, 'person' || n || '@example' || n % 97 || '.com' as key from generate_series(0, $1 - 1) n) p`,
  [size.contacts],
);
await database.query('vacuum (analyze) contacts');
const floor = await createActivityFloor(database, size);

const spent = { service: 0, floor: 0 };
let memory = 0;
for (let from = 0; from < size.activities; from += slice) {
  const to = Math.min(from + slice, size.activities);
  const seconds = { service: await record(from, to), floor: await floor.copy(from, to) };
  spent.service += seconds.service;
  spent.floor += seconds.floor;
  memory = Math.max(memory, await service.memory());
  const rate = (one: number) => `${((to - from) / one / 1000).toFixed(0)}k/s`;
  console.log(
    `${to} activities: ${rate(seconds.service)}, floor ${rate(seconds.floor)}, ratio ${(seconds.floor / seconds.service).toFixed(2)}`,
  );
  if ((from < small && to >= small) || to === size.activities) await ask(to);
}
const rate = (seconds: number) => (size.activities / seconds).toFixed(0);
console.log(
  `input: ${rate(spent.service)} activities/s through the service, ${rate(spent.floor)}/s floor, ratio ${(spent.floor / spent.service).toFixed(2)}; ` +
    `memory of the service ${memory.toFixed(0)} MiB`,
);
await disk();
await database.end();

/**
 * Sends activities over several connections, and waits until all are stored. Returns the seconds.
 * The bodies are prepared before the clock starts, as for the floor.
 */
async function record(from: number, to: number): Promise<number> {
  const bodies: Buffer[] = [];
  for (let at = from; at < to; at += perRequest) {
    const data = Array.from({ length: Math.min(perRequest, to - at) }, (_, n) => recordOf(activityAt(at + n, size)));
    bodies.push(Buffer.from(JSON.stringify({ data })));
  }
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < bodies.length) await service.operator('POST', '/activities', bodies[next++]);
    }),
  );
  await service.drained();
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await database.query(
    `select coalesce(sum((counts ->> 'created')::int), 0)::int as created from request_results r
     join requests q using (account_id, request_id) where operation = 'activity.record'`,
  );
  if (rows[0].created !== to) throw new Error(`${rows[0].created} activities are stored, not ${to}`);
  return seconds;
}

/**
 * Sends queries from several clients. Each client sends its next query after the answer to the
 * previous one.
 */
async function ask(activities: number): Promise<void> {
  // PostgreSQL would do this itself some minutes later.
  await database.query('vacuum (analyze) activities');
  await database.query('checkpoint');
  const random = randomNumbers(activities);
  const query = `/apiv2?type=export_data&activity=get_user_channel_activity_data&apikey=${service.apiKey}`;
  const milliseconds: number[] = [];
  let found = 0;
  const total = Number(options.queries);
  const all = warmUp + total;
  let asked = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (asked < all) {
        const isWarm = asked++ >= warmUp;
        const { identity, channel, from, to } = weekOf(random, activities, size);
        const data = JSON.stringify({ primary_key: identity, channel, from_date: from, to_date: to });
        const started = performance.now();
        const answer = await service.pool.request({
          method: 'POST',
          path: query,
          headers: { 'content-type': 'application/json' },
          body: `data=${data}`,
        });
        const body = (await answer.body.json()) as { result: { channel_activity?: unknown[] } };
        if (!isWarm) continue;
        milliseconds.push(performance.now() - started);
        found += body.result.channel_activity!.length;
      }
    }),
  );
  const at = (share: number) => `${quantile(milliseconds, share).toFixed(1)} ms`;
  console.log(
    `query with ${activities} activities stored, ${clients} clients: p50 ${at(0.5)}, p99 ${at(0.99)}; ` +
      `${(found / milliseconds.length).toFixed(2)} activities per answer`,
  );
}

async function disk(): Promise<void> {
  const { rows } = await database.query<{ heap: number; index: number }>(`
    select sum(pg_table_size(inhrelid))::float8 as heap, sum(pg_indexes_size(inhrelid))::float8 as index
    from pg_inherits where inhparent = 'activities'::regclass`);
  const bytes = (one: number) => (one / size.activities).toFixed(0);
  const { heap, index } = rows[0]!;
  console.log(
    `disk: ${bytes(heap + index)} bytes per activity (${bytes(heap)} in the table, ${bytes(index)} in the index)`,
  );
}
