/**
 * Measures searches over HTTP with 1,000,000 contacts, in turn in one run with SQL written by hand
 * on one connection:
 * - floor: the same queries on the table of the service
 * - plain columns: the same queries on a table that has each attribute as a column
 *
 * First no attribute has an index. Then three have one, both in the service and as plain columns.
 *
 * `npm run bench:search -- [--contacts 1000000] [--runs 60]`
 */
import { parseArgs } from 'node:util';
import { fill } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { checkSameAnswer, indexPlainTable, makePlainTable, type Statement } from './plain-table.ts';
import { searchCases, type SearchCase } from './search-cases.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '1000000' }, runs: { type: 'string', default: '60' } },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts });

await makePlainTable(database);
const cases = searchCases(contacts);
console.log(`${contacts} contacts, ${runs} runs each; milliseconds`);
console.log('| query | p50 | p95 | floor p50 | p50 - floor | plain columns p50 |\n|---|---|---|---|---|---|');
for (const one of cases) {
  const [p50, p95, floor, plain] = await measure(one, [one.floor, one.plain]);
  console.log(`| ${one.name} | ${show(p50!, p95!, floor!, p50! - floor!, plain!)} |`);
}

await indexPlainTable(database);
await indexAttributes(service, { SCORE: true, CITY: true, LAST_NAME: true });
await database.query('vacuum (analyze) contacts');
console.log('\nWith indexes on the three attributes:');
console.log('| query | p50 | p95 | plain columns p50 | p50 - plain |\n|---|---|---|---|---|');
for (const one of cases) {
  const [p50, p95, plain] = await measure(one, [one.plain]);
  console.log(`| ${one.name} | ${show(p50!, p95!, plain!, p50! - plain!)} |`);
}
await database.end();

function show(...milliseconds: number[]): string {
  return milliseconds.map((value) => value.toFixed(1)).join(' | ');
}

/**
 * Returns the p50 and p95 of a search, and the p50 of each way to find the same with SQL, in turn in
 * one run.
 */
async function measure(
  { name, body }: SearchCase,
  ways: readonly ((run: number) => Statement[])[],
): Promise<readonly number[]> {
  const measured: number[] = [];
  const byHand = ways.map(() => [] as number[]);
  for (let run = -5; run < runs; run++) {
    // Search and SQL run in turn, so that all see the same state of the machine. The first five runs
    // warm up.
    const answer = await time(() => service.post('/contact/search', body(run)));
    if (run >= 0) measured.push(answer.milliseconds);
    for (const [at, statements] of ways.entries()) {
      const rows = await time(() =>
        Promise.all(statements(run).map(({ text, values }) => database.query({ text, values: [...values] }))),
      );
      checkSameAnswer(name, answer.result, rows.result);
      if (run >= 0) byHand[at]!.push(rows.milliseconds);
    }
  }
  return [quantile(measured, 0.5), quantile(measured, 0.95), ...byHand.map((times) => quantile(times, 0.5))];
}

async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - started };
}
