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
import { indexPlainTable, makePlainTable } from './plain-table.ts';
import { searchCases } from './search-cases.ts';
import { measureSearch, milliseconds as show } from './search-times.ts';
import { startBenchService } from './support.ts';

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
  const [p50, p95, floor, plain] = await measureSearch(service, database, one, runs, [one.floor, one.plain]);
  console.log(`| ${one.name} | ${show(p50!, p95!, floor!, p50! - floor!, plain!)} |`);
}

await indexPlainTable(database);
await indexAttributes(service, { SCORE: true, CITY: true, LAST_NAME: true });
await database.query('vacuum (analyze) contacts');
console.log('\nWith indexes on the three attributes:');
console.log('| query | p50 | p95 | plain columns p50 | p50 - plain |\n|---|---|---|---|---|');
for (const one of cases) {
  const [p50, p95, plain] = await measureSearch(service, database, one, runs, [one.plain]);
  console.log(`| ${one.name} | ${show(p50!, p95!, plain!, p50! - plain!)} |`);
}
await database.end();
