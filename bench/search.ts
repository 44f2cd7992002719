/**
 * Measures searches over HTTP with 1,000,000 contacts. The floor is the same queries as handwritten
 * SQL on one connection, in turn in one run.
 *
 * `npm run bench:search -- [--contacts 1000000] [--runs 60]`
 */
import { parseArgs } from 'node:util';
import { fill } from './fill.ts';
import { searchCases } from './search-cases.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '1000000' }, runs: { type: 'string', default: '60' } },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts });

console.log(`${contacts} contacts, ${runs} runs each; milliseconds`);
console.log('| query | p50 | p95 | floor p50 | p50 - floor |\n|---|---|---|---|---|');
for (const { name, body, floor } of searchCases(contacts)) {
  const measured: number[] = [];
  const byHand: number[] = [];
  for (let run = -5; run < runs; run++) {
    // Search and floor run in turn, so that both see the same state of the machine. The first five
    // runs warm up.
    const answer = await time(() => service.post('/contact/search', body(run)));
    const rows = await time(() =>
      Promise.all(floor(run).map(({ text, values }) => database.query({ text, values: [...values] }))),
    );
    if ((answer.result['data'] as unknown[]).length !== rows.result[0]!.rows.length)
      throw new Error(`${name}: the search and the SQL return different numbers of rows`);
    if (run < 0) continue;
    measured.push(answer.milliseconds);
    byHand.push(rows.milliseconds);
  }
  const [p50, p95, base] = [quantile(measured, 0.5), quantile(measured, 0.95), quantile(byHand, 0.5)];
  console.log(`| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${base.toFixed(1)} | ${(p50 - base).toFixed(1)} |`);
}
await database.end();

async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - started };
}
