/**
 * Measures:
 * - `searches`: searches before and after an attribute gets an index. The floor is handwritten SQL
 *   in the same run, on a table that has the attributes as plain, indexed columns.
 * - `changes`: searches and ingest during a rename and a deletion of an attribute.
 * - `writes`: the cost of indexes for writes.
 * - `rewrites`: the index on all attributes after many changes. Runs only with `--only rewrites`.
 *
 * `npm run bench:attributes -- [--contacts 1000000] [--runs 40]
 * [--only searches|changes|writes|rewrites]`
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { time } from './search-times.ts';
import { attributeCases, type AttributeCase, type DeepPositions } from './attribute-cases.ts';
import { measureRewrites } from './attribute-rewrites.ts';
import { measureChanges } from './attribute-changes.ts';
import { measureWrites } from './attribute-writes.ts';
import { fill } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { checkSameAnswer, indexPlainTable, makePlainTable } from './plain-table.ts';
import { quantile, startBenchService, type BenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '40' },
    only: { type: 'string' },
  },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);

if (options.only === 'rewrites') {
  await measureRewrites(contacts);
  process.exit();
}
if (options.only !== 'writes') {
  await using service = await startBenchService();
  const database = await service.database();
  await fill(service, database, { contacts });
  if (options.only !== 'changes') await measureSearches(service, database);
  if (options.only !== 'searches') await measureChanges(service, contacts);
  await database.end();
}
if (options.only === undefined || options.only === 'writes') await measureWrites(Math.min(contacts, 300_000));

async function measureSearches(service: BenchService, database: pg.Client): Promise<void> {
  await makePlainTable(database);
  await indexPlainTable(database);
  const cases = attributeCases(await deepPositions(service));
  const before = await measure(service, database, cases, 'before');
  const bytes = await contactBytes(database);
  const started = performance.now();
  await indexAttributes(service, { SCORE: true, CITY: true, LAST_NAME: true });
  const seconds = (performance.now() - started) / 1000;
  await database.query('vacuum (analyze) contacts');
  const grown = ((await contactBytes(database)) - bytes) / contacts;
  const after = await measure(service, database, cases, 'after');
  console.log(
    `${contacts} contacts, ${runs} runs each; milliseconds; ${seconds.toFixed(0)} s for the three indexes, ${grown.toFixed(0)} bytes a contact`,
  );
  console.log(
    '| search | before p50 | floor | after p50 | after p95 | floor | before / after |\n|---|---|---|---|---|---|---|',
  );
  for (const [at, { name }] of cases.entries()) {
    const [was, is] = [before[at]!, after[at]!];
    const figures = [was.p50, was.floor, is.p50, is.p95, is.floor, was.p50 / is.p50].map((value) => value.toFixed(1));
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
}

/**
 * Times each search and its floor in turn, so that both see the same state of the machine. The
 * first runs warm up.
 */
async function measure(
  service: BenchService,
  database: pg.Client,
  cases: readonly AttributeCase[],
  when: 'before' | 'after',
): Promise<{ p50: number; p95: number; floor: number }[]> {
  const results = [];
  for (const { name, body, floor } of cases) {
    const measured: number[] = [];
    const byHand: number[] = [];
    for (let run = -3; run < runs; run++) {
      const answer = await time(() => service.post('/contact/search', body(run + 3)));
      const rows = await time(() =>
        Promise.all(floor(run + 3).map(({ text, values }) => database.query({ text, values: [...values] }))),
      );
      checkSameAnswer(name, answer.result, rows.result);
      if (run < 0) continue;
      measured.push(answer.milliseconds);
      byHand.push(rows.milliseconds);
    }
    const result = { p50: quantile(measured, 0.5), p95: quantile(measured, 0.95), floor: quantile(byHand, 0.5) };
    // Show progress, because the run takes minutes and the table comes at the end.
    console.error(`${when}:`, name, result.p50.toFixed(1), result.floor.toFixed(1));
    results.push(result);
  }
  return results;
}

/** Returns the bytes of contacts and its indexes. */
async function contactBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>(`select pg_total_relation_size('contacts') as bytes`);
  return Number(rows[0]!.bytes);
}

/** Returns cursors in the middle of the orders by SCORE. */
async function deepPositions(service: BenchService): Promise<DeepPositions> {
  const at = async (direction: string, matches: number, conditions: object[]) => {
    const limit = 1000;
    const answer = await service.post('/contact/search', {
      filtering_criteria: conditions.length === 0 ? [] : [{ condition_details: conditions }],
      output: {
        fields: ['contact_id', 'SCORE'],
        sorting: [{ field: 'SCORE', direction }],
        pagination: { page: Math.max(1, Math.floor(matches / 2 / limit)), limit },
      },
    });
    const last = (answer['data'] as { contact_id: number; SCORE: number }[]).at(-1)!;
    return { cursor: String(answer['next_cursor']), score: last.SCORE, id: last.contact_id };
  };
  const list = { field: 'list_id', operation: 'equals', value: 7 };
  return { ascending: await at('asc', contacts, []), descendingList: await at('desc', contacts / 20, [list]) };
}
