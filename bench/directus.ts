/**
 * Measures searches with a count, next to Directus on the same PostgreSQL. First without indexes on
 * the attributes, then with them on both sides. Directus has no index for parts of texts.
 *
 * Directus is not a dependency. Install it in a directory of its own, such as with `npm install
 * directus@10.13.1`, and say which Node.js runs it: version 10 needs Node.js 18 or 20.
 *
 * `npm run bench:directus -- --directus DIRECTORY --node PROGRAM [--contacts 200000] [--runs 200]`
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  indexField,
  makeCollection,
  startDirectus,
  vacuumCollection,
  type DirectusAnswer,
  type DirectusFilter,
} from './directus-server.ts';
import { fill } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { searchCases } from './search-cases.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    directus: { type: 'string' },
    node: { type: 'string', default: 'node' },
    contacts: { type: 'string', default: '200000' },
    runs: { type: 'string', default: '200' },
  },
});
if (options.directus === undefined) throw new Error('Give the directory with Directus: --directus DIRECTORY');
const contacts = Number(options.contacts);
const runs = Number(options.runs);
/** Searches of one side before it is the turn of the other. */
const block = 10;
/** Searches on each side that are not measured, until both have compiled what they run often. */
const warmUp = 400;

/** The searches of search-cases.ts that are compared, as Directus takes them. */
const directusSearches: Readonly<Record<string, (run: number) => DirectusFilter>> = {
  'equality on an attribute, with count': (run) => ({ city: { _eq: `City ${(run + 200) % 200}` } }),
  'range on an attribute, with count': (run) => ({ score: { _between: [100 + run, 140 + run] } }),
  'contains, with count': (run) => ({ last_name: { _icontains: `t${1000 + run}` } }),
};

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts });
await makeCollection(database);
await using directus = await startDirectus({
  directory: path.resolve(options.directus),
  node: options.node,
  databaseUrl: await service.databaseUrl(),
});

console.log(`${contacts} contacts, ${runs} runs each; milliseconds`);
await measureAll('Without indexes on the attributes:');
await indexAttributes(service, { SCORE: true, CITY: true, LAST_NAME: true });
await indexField(database, 'score');
await indexField(database, 'city');
await database.query('vacuum (analyze) contacts');
await vacuumCollection(database);
await measureAll('With indexes on the three attributes:');
await database.end();

async function measureAll(title: string): Promise<void> {
  console.log(`\n${title}\n| search | p50 | p95 | Directus p50 | p95 | Directus / p50 |\n|---|---|---|---|---|---|`);
  for (const { name, body } of searchCases(contacts)) {
    const search = directusSearches[name];
    if (search === undefined) continue;
    const measured: number[] = [];
    const others: number[] = [];
    // In turn, so that both see the same state of the machine. Ten at a time: processes that were idle
    // for some milliseconds take up to two milliseconds longer.
    for (let from = -warmUp; from < runs; from += block) {
      const at = Array.from({ length: block }, (_, index) => (from + warmUp + index) % runs);
      const answers = await timeEach(at, (run) => service.post('/contact/search', body(run)));
      const other = await timeEach(at, (run) => directus.search(search(run)));
      for (const [index, { result }] of answers.entries()) checkSameContacts(name, result, other[index]!.result);
      if (from < 0) continue;
      measured.push(...answers.map(({ milliseconds }) => milliseconds));
      others.push(...other.map(({ milliseconds }) => milliseconds));
    }
    const figures = [measured, others].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.95)]);
    const ratio = (figures[2]! / figures[0]!).toFixed(2);
    console.log(`| ${name} | ${figures.map((value) => value.toFixed(1)).join(' | ')} | ${ratio} |`);
  }
}

function checkSameContacts(name: string, answer: Record<string, unknown>, { data, meta }: DirectusAnswer): void {
  const ids = (answer['data'] as { contact_id: number }[]).map((row) => row.contact_id);
  if (ids.join() !== data.map(({ id }) => id).join()) throw new Error(`${name}: the pages differ`);
  if (answer['count'] !== meta.filter_count) throw new Error(`${name}: the counts differ`);
}

/** Runs something for each number, one after the other, and returns the results with their times. */
async function timeEach<T>(
  numbers: readonly number[],
  run: (number: number) => Promise<T>,
): Promise<{ result: T; milliseconds: number }[]> {
  const times: { result: T; milliseconds: number }[] = [];
  for (const number of numbers) {
    const started = performance.now();
    times.push({ result: await run(number), milliseconds: performance.now() - started });
  }
  return times;
}
