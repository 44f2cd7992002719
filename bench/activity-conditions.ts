/**
 * Measures searches by activities over HTTP, in turn in one run with the same SQL by hand on one
 * connection: first warm, then cold. Then what the index for these searches costs when activities
 * are stored.
 *
 * Cold means: PostgreSQL has just started, and the operating system has dropped its cached files.
 *
 * `npm run bench:activity-conditions -- [--contacts 1000000] [--activities 10000000] [--runs 15]`
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type pg from 'pg';
import { activityCases, type ActivityCase } from './activity-condition-cases.ts';
import { fillActivities } from './fill-activities.ts';
import { checkSameAnswer } from './plain-table.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    activities: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '15' },
  },
});
const size = { contacts: Number(options.contacts), activities: Number(options.activities) };
const runs = Number(options.runs);

await using service = await startBenchService();
let database = await connect();
const started = performance.now();
await fillActivities(database, size);
console.log(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);

console.log(`${size.contacts} contacts, ${size.activities} activities, ${runs} runs each; milliseconds`);
console.log('| query | matches | p50 | p95 | by hand p50 | ratio | cold | by hand cold |');
console.log('|---|---|---|---|---|---|---|---|');
for (const one of activityCases(size.activities)) {
  const warm = await measure(one);
  const cold = [await coldly(() => search(one)), await coldly(() => byHand(one))];
  const [p50, p95, hand] = [quantile(warm.service, 0.5), quantile(warm.service, 0.95), quantile(warm.hand, 0.5)];
  const numbers = [p50, p95, hand].map((value) => value.toFixed(0));
  console.log(
    `| ${one.name} | ${warm.matches} | ${numbers.join(' | ')} | ${(p50 / hand).toFixed(2)} | ${cold.map((value) => value.toFixed(0)).join(' | ')} |`,
  );
}
await storeWithAndWithoutIndex();
await database.end();

/** The service ends open connections when it stops. That must not hide the error of the run. */
async function connect(): Promise<pg.Client> {
  const client = await service.database();
  client.on('error', () => undefined);
  return client;
}

async function measure(one: ActivityCase) {
  const measured = { service: [] as number[], hand: [] as number[], matches: 0 };
  for (let run = -2; run < runs; run++) {
    const [answer, rows] = [await time(() => search(one)), await time(() => byHand(one))];
    checkSameAnswer(one.name, answer.result, rows.result);
    measured.matches = Number(answer.result['count']);
    if (run < 0) continue;
    measured.service.push(answer.milliseconds);
    measured.hand.push(rows.milliseconds);
  }
  return measured;
}

function search({ body }: ActivityCase): Promise<Record<string, unknown>> {
  return service.post('/contact/search', body);
}

/** The page and the count, as the service reads them. */
async function byHand({ where }: ActivityCase): Promise<pg.QueryResult[]> {
  const from = `from contacts c where c.account_id = 1 and ${where}`;
  return Promise.all([
    database.query(`select c.contact_id, c.email ${from} order by c.created_at desc, c.contact_id limit 10`),
    database.query(`select count(*) ${from}`),
  ]);
}

/** Runs once on a cold server. Returns the milliseconds. */
async function coldly(run: () => Promise<unknown>): Promise<number> {
  await database.query('checkpoint');
  await database.end();
  await service.restart();
  await promisify(execFile)('sync');
  const files = path.join(service.dataDir, 'postgres', 'cluster', 'base');
  // Reading nothing with this flag makes Linux drop the cached pages of a file.
  const drop = ['-type', 'f', '-exec', 'dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none', ';'];
  await promisify(execFile)('find', [files, ...drop]);
  database = await connect();
  // The first search loads code and opens connections.
  await service.post('/contact/search', { output: { pagination: { limit: 1 } } });
  return (await time(run)).milliseconds;
}

/** Stores the activities of a month in two tables, of which one has the index for conditions. */
async function storeWithAndWithoutIndex(): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'activities'::regclass order by 1 desc limit 3`,
  );
  const month = rows.at(-1)!.name;
  for (const table of ['with_index', 'without_index']) {
    await database.query(`create table ${table} (like ${month} including all)`);
  }
  const { rows: indexes } = await database.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index where indrelid = 'without_index'::regclass and indpred is not null`,
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  const spent = { with_index: 0, without_index: 0 };
  for (let run = 0; run < 4; run++) {
    for (const table of ['with_index', 'without_index'] as const) {
      await database.query(`truncate ${table}`);
      const { milliseconds } = await time(() => database.query(`insert into ${table} select * from ${month}`));
      // The first run reads the month from the disk.
      if (run > 0) spent[table] += milliseconds;
    }
  }
  const { rows: sizes } = await database.query<{ index: number; rows: number }>(
    `select sum(pg_relation_size(indexrelid))::float8 as index, (select count(*)::float8 from with_index) as rows
     from pg_index where indrelid = 'with_index'::regclass and indpred is not null`,
  );
  const ratio = (spent.with_index / spent.without_index).toFixed(2);
  const bytes = (sizes[0]!.index / sizes[0]!.rows).toFixed(1);
  console.log(`storing ${sizes[0]!.rows} activities takes ${ratio} times as long with the index: ${bytes} bytes each`);
}

async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const from = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - from };
}
