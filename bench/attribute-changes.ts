import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './fill.ts';
import { person } from './people.ts';
import { quantile, type BenchService } from './support.ts';

// The usual requests of callers. They do not use the attribute that is deleted.
const seconds = 20;
const newContacts = 20_000;

/**
 * Renames and then deletes an attribute that every contact has. Measures searches and ingest while
 * the sweep removes the values.
 */
export async function measureChanges(service: BenchService, contacts: number): Promise<void> {
  const renamed = await timed(async () => update(service, { name: 'SCORE', new_name: 'POINTS' }));
  console.log(`\nrename of an attribute with ${contacts} values: ${renamed.toFixed(0)} ms`);

  const usual = await searchFor(service, contacts);
  const usualRate = await ingest(service, contacts);
  const started = performance.now();
  await service.post('/client/attribute/delete', { data: ['POINTS'] });
  await service.drained();
  const during = await searchFor(service, contacts);
  const searched = await isSweeping(service);
  const rate = await ingest(service, contacts + newContacts);
  const ingested = await isSweeping(service);
  while (await isSweeping(service)) await sleep(500);
  const minutes = (performance.now() - started) / 60_000;
  console.log(`deletion: the sweep removed the values of ${contacts} contacts in ${minutes.toFixed(1)} min`);
  console.log('| | before | during | ratio |\n|---|---|---|---|');
  const row = (name: string, before: number, then: number, ratio: number, whole: boolean) =>
    console.log(
      `| ${name} | ${before.toFixed(1)} | ${then.toFixed(1)} | ${ratio.toFixed(2)}${whole ? '' : ' (the sweep ended earlier)'} |`,
    );
  row('searches, p50 ms', usual.p50, during.p50, during.p50 / usual.p50, searched);
  row('searches, p95 ms', usual.p95, during.p95, during.p95 / usual.p95, searched);
  row('ingest, contacts/s', usualRate, rate, rate / usualRate, ingested);
}

async function update(service: BenchService, change: object): Promise<void> {
  await service.post('/client/attribute/update', { data: [change] });
}

/** Sends searches one after the other, for some seconds. */
async function searchFor(service: BenchService, contacts: number): Promise<{ p50: number; p95: number }> {
  const milliseconds: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let run = 0; performance.now() < until; run++) {
    const { mobile } = person((run * 7919) % contacts);
    const conditions = [
      [{ field: 'CITY', operation: 'equals', value: `City ${run % 200}` }],
      [{ field: 'list_id', operation: 'equals', value: 1 + (run % 5) }],
      [{ field: 'MOBILE', operation: 'equals', value: mobile }],
    ][run % 3]!;
    const body = { filtering_criteria: [{ condition_details: conditions }], output: { get_count: run % 3 === 0 } };
    milliseconds.push(await timed(async () => service.post('/contact/search', body)));
  }
  return { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95) };
}

/** Adds contacts without the attribute. Returns the contacts per second. */
async function ingest(service: BenchService, first: number): Promise<number> {
  const milliseconds = await timed(async () =>
    load(service, first, first + newContacts, (n) => {
      const { attributes, ...rest } = person(n);
      const { SCORE: _, ...others } = attributes;
      return { ...rest, attributes: others };
    }),
  );
  return newContacts / (milliseconds / 1000);
}

async function isSweeping(service: BenchService): Promise<boolean> {
  const database = await service.database();
  const { rows } = await database.query(`select 1 from sweeps limit 1`);
  await database.end();
  return rows.length > 0;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
