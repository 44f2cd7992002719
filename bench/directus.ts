/**
 * Measures searches with a count, next to Directus on the same PostgreSQL. First without indexes on
 * the attributes, then with them on both sides. Directus has no index for parts of texts.
 *
 * Directus is not a dependency. Install it in a directory of its own, such as with `npm install
 * directus@10.13.1`, and say which Node.js runs it: version 10 needs Node.js 18 or 20.
 *
 * `npm run bench:directus -- --directus DIRECTORY --node PROGRAM [--contacts 200000] [--runs 60]`
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
    runs: { type: 'string', default: '60' },
  },
});
if (options.directus === undefined) throw new Error('Give the directory with Directus: --directus DIRECTORY');
const contacts = Number(options.contacts);
const runs = Number(options.runs);

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
    // In turn, so that both see the same state of the machine. The first five runs warm up.
    for (let run = -5; run < runs; run++) {
      const answer = await time(() => service.post('/contact/search', body(run)));
      const other = await time(() => directus.search(search(run)));
      checkSameContacts(name, answer.result, other.result);
      if (run < 0) continue;
      measured.push(answer.milliseconds);
      others.push(other.milliseconds);
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

async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - started };
}
