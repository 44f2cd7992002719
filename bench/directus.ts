/**
 * Measures searches with a count, next to a stand-in for Directus: a table and SQL like its own,
 * behind the smallest HTTP server (directus-stand-in.ts). First without indexes on the attributes,
 * then with them on both sides. Directus has no index for parts of texts.
 *
 * `npm run bench:directus -- [--contacts 200000] [--runs 60]`
 */
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { indexField, makeDirectusTable, startDirectusStandIn, type DirectusSearch } from './directus-stand-in.ts';
import { fill } from './fill.ts';
import { indexAttributes } from './index-attributes.ts';
import { searchCases } from './search-cases.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '200000' }, runs: { type: 'string', default: '60' } },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);

/** The searches of search-cases.ts that are compared, as Directus sends them to PostgreSQL. */
const directusSearches: Readonly<Record<string, (run: number) => DirectusSearch>> = {
  'equality on an attribute, with count': (run) => ({
    where: '"directus_contacts"."city" = $1',
    values: [`City ${(run + 200) % 200}`],
  }),
  'range on an attribute, with count': (run) => ({
    where: '"directus_contacts"."score" between $1 and $2',
    values: [100 + run, 140 + run],
  }),
  'contains, with count': (run) => ({
    where: 'LOWER("directus_contacts"."last_name") LIKE $1',
    values: [`%t${1000 + run}%`],
  }),
};

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts });
await makeDirectusTable(database);
await using standIn = await startDirectusStandIn(database);
const pool = new Pool(standIn.url);

console.log(`${contacts} contacts, ${runs} runs each; milliseconds`);
await measureAll('Without indexes on the attributes:');
await indexAttributes(service, { SCORE: true, CITY: true, LAST_NAME: true });
await indexField(database, 'score');
await indexField(database, 'city');
await database.query('vacuum (analyze) contacts');
await database.query('vacuum (analyze) directus_contacts');
await measureAll('With indexes on the three attributes:');
await pool.close();
await database.end();

async function measureAll(title: string): Promise<void> {
  console.log(`\n${title}\n| search | p50 | p95 | stand-in p50 | stand-in / p50 |\n|---|---|---|---|---|`);
  for (const { name, body } of searchCases(contacts)) {
    const search = directusSearches[name];
    if (search === undefined) continue;
    const measured: number[] = [];
    const others: number[] = [];
    // In turn, so that both see the same state of the machine. The first five runs warm up.
    for (let run = -5; run < runs; run++) {
      const answer = await time(() => service.post('/contact/search', body(run)));
      const other = await time(() => searchStandIn(search(run)));
      checkSameContacts(name, answer.result, other.result);
      if (run < 0) continue;
      measured.push(answer.milliseconds);
      others.push(other.milliseconds);
    }
    const [p50, base] = [quantile(measured, 0.5), quantile(others, 0.5)];
    const figures = [p50, quantile(measured, 0.95), base].map((value) => value.toFixed(1));
    console.log(`| ${name} | ${figures.join(' | ')} | ${(base / p50).toFixed(2)} |`);
  }
}

interface StandInAnswer {
  readonly data: readonly { readonly id: string }[];
  readonly meta: { readonly filter_count: number };
}

async function searchStandIn(search: DirectusSearch): Promise<StandInAnswer> {
  const { body } = await pool.request({ method: 'POST', path: '/', body: JSON.stringify(search) });
  return (await body.json()) as StandInAnswer;
}

function checkSameContacts(name: string, answer: Record<string, unknown>, { data, meta }: StandInAnswer): void {
  const ids = (answer['data'] as { contact_id: number }[]).map((row) => row.contact_id);
  if (ids.join() !== data.map(({ id }) => id).join()) throw new Error(`${name}: the pages differ`);
  if (answer['count'] !== meta.filter_count) throw new Error(`${name}: the counts differ`);
}

async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - started };
}
