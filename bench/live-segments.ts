/**
 * Measures how far live segments are behind an ingest, and what they cost it.
 *
 * Fills an account, and then changes its contacts in random order with 0, 1 and 10 live segments:
 * first at a steady rate, then as fast as the machine goes. Meanwhile it samples the age of the
 * oldest change that is not followed yet.
 *
 * `npm run bench:live-segments -- [--contacts 1000000] [--seconds 30] [--rate 10000]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { cpuBetween, describeCalibration, describeCpu } from './cpu-time.ts';
import { fill } from './fill.ts';
import { person } from './people.ts';
import { quantile, shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '10000' },
  },
});
const contacts = Number(options.contacts);
const seconds = Number(options.seconds);
const rate = Number(options.rate);
const perRequest = 1000;

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts });
const order = shuffled(contacts);
let next = 0;

/** Filters that a change of a contact (SCORE, CITY and BIRTH_DATE) concerns. */
const filters = [
  { field: 'SCORE', operation: 'less_than', value: 500 },
  { field: 'SCORE', operation: 'greater_than', value: 900 },
  { field: 'CITY', operation: 'equals', value: ['City 1', 'City 2', 'City 3'] },
  { field: 'CITY', operation: 'ends_with', value: '7' },
  { field: 'BIRTH_DATE', operation: 'less_than', value: '1980-01-01' },
  { field: 'BIRTH_DATE', operation: 'anniversary', value: ['01-15'] },
  { field: 'SCORE', operation: 'between', value: [100, 200] },
  { field: 'CITY', operation: 'not_equals', value: 'City 9' },
  { field: 'FIRST_NAME', operation: 'starts_with', value: 'First1' },
  { field: 'list_id', operation: 'equals', value: [1, 7] },
];

let live = 0;
for (const wanted of [0, 1, 10]) {
  const started = performance.now();
  while (live < wanted) {
    const filtering_criteria = [{ condition_details: [filters[live]] }];
    await service.operator('POST', '/segments', { name: `Live ${live}`, live: true, filtering_criteria });
    live += 1;
  }
  await followed();
  if (wanted > 0) {
    console.log(
      `${wanted} live: filled ${contacts} contacts in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  }
  // Whole seconds of the rate, so that the requests are evenly spaced.
  await measure(`${wanted} live, ${rate} a second`, rate * seconds, rate);
  await measure(`${wanted} live, unpaced`, rate * seconds, Infinity);
}
const body = Buffer.from(JSON.stringify({ data: order.slice(0, perRequest).map((n) => person(n)) }));
console.log(describeCalibration([body]));
await check();
await database.end();

/** Changes contacts, and prints the rate, the lag and the processor time. */
async function measure(name: string, count: number, perSecond: number): Promise<void> {
  await database.query('vacuum (analyze) contacts');
  await database.query('checkpoint');
  const version = 1 + Math.floor(next / contacts) + (perSecond === Infinity ? 1000 : 0);
  const bodies = Array.from({ length: Math.ceil(count / perRequest) }, () => {
    const part = Array.from({ length: perRequest }, () => {
      const { lists: _, ...contact } = person(order[next++ % contacts]!, version + next);
      return contact;
    });
    return Buffer.from(JSON.stringify({ data: { contact_type: 'identified', contacts: part } }));
  });
  const samples = sampleLag();
  const before = await service.cpu();
  const started = performance.now();
  await send(bodies, perSecond);
  await service.drained();
  const took = (performance.now() - started) / 1000;
  await followed();
  const caughtUp = (performance.now() - started) / 1000 - took;
  const cpu = cpuBetween(before, await service.cpu());
  const lags = await samples();
  const lag =
    live === 0
      ? ''
      : `; lag p50 ${quantile(lags, 0.5).toFixed(2)} s, p99 ${quantile(lags, 0.99).toFixed(2)} s, max ${Math.max(...lags).toFixed(2)} s, followed ${caughtUp.toFixed(2)} s after the last change`;
  console.log(`${name}: ${(count / took).toFixed(0)} contacts/s${lag}; ${describeCpu(cpu, count, 'contact')}`);
}

/** Sends bodies over 4 connections, at most `perSecond` contacts a second. */
async function send(bodies: readonly Buffer[], perSecond: number): Promise<void> {
  const started = performance.now();
  let sent = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (sent < bodies.length) {
        const at = sent++;
        const due = started + ((at * perRequest) / perSecond) * 1000;
        await sleep(Math.max(0, due - performance.now()));
        await service.post('/contact/create', bodies[at]);
      }
    }),
  );
}

/** Samples the age of the oldest change that is not followed yet, until the returned function is called. */
function sampleLag(): () => Promise<number[]> {
  const stop = new AbortController();
  const sampling = (async () => {
    const lags: number[] = [];
    const client = new pg.Client({ connectionString: await service.databaseUrl() });
    await client.connect();
    while (!stop.signal.aborted) {
      const { rows } = await client.query<{ lag: number }>(
        `select coalesce(extract(epoch from clock_timestamp() - min(changed_at)), 0)::float8 as lag from live_pending`,
      );
      lags.push(rows[0]!.lag);
      await sleep(20);
    }
    await client.end();
    return lags;
  })();
  return async () => {
    stop.abort();
    return await sampling;
  };
}

/** Resolves when all live segments have followed every change. */
async function followed(): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query(
      `select from live_pending union all select from live_segments where state <> 'following' limit 1`,
    );
    if (rowCount === 0) return;
    await sleep(20);
  }
}

/** Throws unless each live segment has as many members as contacts match it. */
async function check(): Promise<void> {
  const { data } = (await service.operator('GET', '/segments?limit=50')) as {
    data: { audience_id: number; live: { member_count: number } }[];
  };
  for (const { audience_id: id, live: state } of data) {
    const { count } = await service.operator('GET', `/segments/${id}/count`);
    if (count !== state.member_count)
      throw new Error(`segment ${id} has ${state.member_count} members, not ${String(count)}`);
  }
  console.log(`the members of ${data.length} live segments are the contacts that match`);
}
