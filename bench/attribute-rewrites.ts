import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readConfig } from '../packages/server/src/platform/config/config.ts';
import { createContext } from '../packages/server/src/app/create-context.ts';
import { maintainIndexSizes } from '../packages/server/src/features/index-sizes/maintain-index-sizes.ts';
import { fill, load } from './fill.ts';
import { person, type Person } from './people.ts';
import { quantile, startBenchService, type BenchService } from './support.ts';

const rewrites = 20;
const index = 'contacts_attributes';
const mebibyte = 1024 * 1024;

/**
 * Measures the size of the GIN index on attributes, and the time of a search with it, in three
 * states:
 * - a new index
 * - after 20 changes to one attribute of every contact
 * - after the rebuild that a worker does within the hour
 */
export async function measureRewrites(contacts: number): Promise<void> {
  await using service = await startBenchService();
  const database = await service.database();
  await fill(service, database, { contacts });
  await database.query(`reindex index ${index}`);
  const rows = [await measure('fresh', service, database)];
  for (let rewrite = 1; rewrite <= rewrites; rewrite++) {
    await load(service, 0, contacts, (n) => withScore(n, rewrite));
    console.error(`rewrite ${rewrite}: ${(await sizeOf(database)).toFixed(0)} MiB`);
  }
  await database.query('vacuum (analyze) contacts');
  rows.push(await measure(`after ${rewrites} rewrites`, service, database));
  const seconds = await rebuild(database);
  rows.push(await measure('after the rebuild', service, database));
  await database.end();
  console.log(
    `${contacts} contacts, one of five attributes changed ${rewrites} times; the rebuild took ${seconds.toFixed(1)} s`,
  );
  console.log('| index on attributes | MiB | search p50 ms | search p95 ms |\n|---|---|---|---|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

/** Returns the n-th person, with a value of SCORE that no other version has. */
function withScore(n: number, version: number): Person {
  const { attributes, ...rest } = person(n);
  return { ...rest, attributes: { ...attributes, SCORE: n * 100 + version } };
}

async function sizeOf(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(`select pg_relation_size('${index}') as bytes`);
  return Number(rows[0]!.bytes) / mebibyte;
}

/** Measures the size of the index, and the time of searches for one of 200 cities. */
async function measure(name: string, service: BenchService, database: pg.Client): Promise<string[]> {
  await sleep(1000);
  const times: number[] = [];
  for (let run = -5; run < 60; run++) {
    const started = performance.now();
    await service.post('/contact/search', {
      filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: `City ${run + 5}` }] }],
      output: { fields: ['contact_id', 'EMAIL'] },
    });
    if (run >= 0) times.push(performance.now() - started);
  }
  return [name, (await sizeOf(database)).toFixed(0), quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)];
}

/** Runs the hourly upkeep of index sizes. Returns the seconds. */
async function rebuild(database: pg.Client): Promise<number> {
  const { user, password, host, port, database: name } = database;
  const url = `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${name}`;
  const config = { ...readConfig({ LOG_LEVEL: 'silent' }), databaseUrl: url };
  await using context = createContext(config, 'start', { now: () => new Date(Date.now() + 2 * 3_600_000) });
  const started = performance.now();
  await maintainIndexSizes(context, new AbortController().signal, { minBytes: mebibyte });
  return (performance.now() - started) / 1000;
}
