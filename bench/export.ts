/**
 * Measures exports over HTTP, from the request to the finished file. The floor is COPY of the same
 * columns on the same server, in turn in one run. Also measures the memory of the service and the
 * searches during exports.
 *
 * `npm run bench:export -- [--contacts 1000000] [--attributes 10] [--runs 3]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { attributeKeys, copyByHand, runExport } from './export-by-hand.ts';
import { fill } from './fill.ts';
import { lists, person, type Person } from './people.ts';
import { searchCases } from './search-cases.ts';
import { quantile, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '1000000' },
    attributes: { type: 'string', default: '10' },
    runs: { type: 'string', default: '3' },
  },
});
const contacts = Number(options.contacts);
const attributes = Number(options.attributes);
const runs = Number(options.runs);

/** The audience_id of a list with one contact in ten. */
const tenth = lists + 1;
const names = ['FIRST_NAME', 'LAST_NAME', 'CITY', 'BIRTH_DATE', 'SCORE'];
for (let n = names.length; n < attributes; n++) names.push(`MORE_${n}`);

await using service = await startBenchService();
const database = await service.database();
await fill(service, database, { contacts, contact: widePerson, lists: tenth });
const keys = await attributeKeys(database, names);
const allContacts = await service.operator('POST', '/segments', { name: 'All contacts', filtering_criteria: [] });

console.log(`${contacts} contacts with ${attributes} attributes, ${runs} runs each; seconds`);
console.log('| audience | rows | export | floor | floor / export |\n|---|---|---|---|---|');
await compare('all contacts', { audience_type: 'segment', audience_id: allContacts['audience_id'] }, 'true');
await compare('a list of 10 %', { audience_type: 'list', audience_id: tenth }, `list_ids && '{${tenth}}'`);

await measureSearches();
await database.end();
await measureMemory();

/**
 * Returns the n-th contact: the person of the other benchmarks with more attributes, of which one
 * in three is a number.
 */
function widePerson(n: number): Person {
  const base = person(n);
  const more = names.slice(5).map((name, at) => [name, at % 3 === 2 ? (n * 31) % 1000 : `Value ${(n * 7919) % 5000}`]);
  return {
    ...base,
    attributes: { ...base.attributes, ...Object.fromEntries(more) },
    lists: n % 10 === 0 ? [...base.lists, tenth] : base.lists,
  };
}

/**
 * Exports an audience, and copies it with handwritten SQL, in turn. `where` is the audience in SQL.
 */
async function compare(name: string, audience: object, where: string): Promise<void> {
  const exported: number[] = [];
  const copied: number[] = [];
  let rows = 0;
  // The first run warms up.
  for (let run = -1; run < runs; run++) {
    const file = await time(() => runExport(service, audience, names));
    const copy = await time(() => copyByHand(database, keys, where));
    if (file.result.rows !== copy.result)
      throw new Error(`${name}: ${file.result.rows} rows exported, ${copy.result} rows copied`);
    rows = copy.result;
    if (run < 0) continue;
    exported.push(file.seconds);
    copied.push(copy.seconds);
  }
  const [file, copy] = [quantile(exported, 0.5), quantile(copied, 0.5)];
  console.log(`| ${name} | ${rows} | ${file.toFixed(2)} | ${copy.toFixed(2)} | ${(copy / file).toFixed(2)} |`);
}

/**
 * Measures the memory of a newly started service during one export of all contacts, and during two
 * concurrent ones.
 */
async function measureMemory(): Promise<void> {
  const audience = { audience_type: 'segment', audience_id: allContacts['audience_id'] };
  console.log(
    '\nMemory in MiB\n| concurrent exports | worker process, before | maximum | whole service, before | maximum |',
  );
  console.log('|---|---|---|---|---|');
  for (const count of [1, 2]) {
    await service.restart();
    const [worker, all] = [await service.workerMemory(), await service.memory()];
    const most = { worker, all };
    const done = new AbortController();
    const sampling = (async () => {
      while (!done.signal.aborted) {
        most.worker = Math.max(most.worker, await service.workerMemory());
        most.all = Math.max(most.all, await service.memory());
        await sleep(50);
      }
    })();
    await Promise.all(Array.from({ length: count }, () => runExport(service, audience, names)));
    done.abort();
    await sampling;
    const numbers = [worker, most.worker, all, most.all].map((size) => size.toFixed(0));
    console.log(`| ${count} | ${numbers.join(' | ')} |`);
  }
}

/** Times the searches of the search benchmark one after the other, without and during exports. */
async function measureSearches(): Promise<void> {
  const cases = searchCases(contacts);
  const usual = await timeSearches(40);
  const done = new AbortController();
  const audience = { audience_type: 'segment', audience_id: allContacts['audience_id'] };
  const exporting = (async () => {
    while (!done.signal.aborted) await runExport(service, audience, names);
  })();
  const during = await timeSearches(40);
  done.abort();
  await exporting;
  console.log(
    '\nSearches, p95 in milliseconds\n| query | without exports | during an export | factor |\n|---|---|---|---|',
  );
  for (const [at, { name }] of cases.entries()) {
    const [before, now] = [quantile(usual[at]!, 0.95), quantile(during[at]!, 0.95)];
    console.log(`| ${name} | ${before.toFixed(1)} | ${now.toFixed(1)} | ${(now / before).toFixed(1)} |`);
  }
  const [before, now] = [quantile(usual.flat(), 0.95), quantile(during.flat(), 0.95)];
  console.log(`| all | ${before.toFixed(1)} | ${now.toFixed(1)} | ${(now / before).toFixed(1)} |`);

  async function timeSearches(rounds: number): Promise<number[][]> {
    const measured: number[][] = cases.map(() => []);
    for (let round = -2; round < rounds; round++) {
      for (const [at, { body }] of cases.entries()) {
        const { seconds } = await time(() => service.post('/contact/search', body(round)));
        if (round >= 0) measured[at]!.push(seconds * 1000);
      }
    }
    return measured;
  }
}

async function time<T>(run: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, seconds: (performance.now() - started) / 1000 };
}
