/**
 * Measures an account with many contacts, with the data of one ingest:
 * - the last tenth of the ingest beside the first one
 * - searches beside the same queries by hand on the table of the service
 * - the export of all contacts beside COPY of the same columns
 *
 * `npm run bench:growth -- [--contacts 10000000] [--runs 20]`
 */
import { parseArgs } from 'node:util';
import { addCpu, cpuUsers, describeCalibration, describeCpu, noCpu, type CpuTime } from './cpu-time.ts';
import { attributeKeys, copyByHand, runExport } from './export-by-hand.ts';
import { makeLists } from './fill.ts';
import { bodiesOf, load } from './ingest-load.ts';
import { searchCases } from './search-cases.ts';
import { measureSearch, milliseconds } from './search-times.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: { contacts: { type: 'string', default: '10000000' }, runs: { type: 'string', default: '20' } },
});
const contacts = Number(options.contacts);
const runs = Number(options.runs);
const tenth = Math.round(contacts / 10);
/** The bodies are prepared before the clock starts, so not for all contacts at once. */
const part = 100_000;

await using service = await startBenchService();
const database = await service.database();
await makeLists(service, database);
await ingest();
await database.query('vacuum (analyze) contacts');
await database.query('checkpoint');
await describeDisk();
await searches();
await exportAll();
await database.end();

async function ingest(): Promise<void> {
  const order = shuffled(contacts);
  const measured: { rate: number; cpu: CpuTime }[] = [];
  let memory = 0;
  for (let from = 0; from + tenth <= contacts; from += tenth) {
    let seconds = 0;
    let cpu = noCpu;
    for (let at = from; at < from + tenth; at += part) {
      const loaded = await load(service, order.slice(at, Math.min(at + part, from + tenth)), 0);
      seconds += loaded.seconds;
      cpu = addCpu(cpu, loaded.cpu);
      memory = Math.max(memory, loaded.memory);
    }
    measured.push({ rate: tenth / seconds, cpu });
    console.log(
      `${from + tenth} contacts: ${(tenth / seconds).toFixed(0)} contacts/s; ${describeCpu(cpu, tenth, 'contact')}`,
    );
  }
  const [first, last] = [measured[0]!, measured.at(-1)!];
  console.log(
    `last / first tenth: rate ${(last.rate / first.rate).toFixed(2)}, ` +
      `processor time ${(timeOf(last.cpu) / timeOf(first.cpu)).toFixed(2)}; ` +
      `maximum memory of the service ${memory.toFixed(0)} MiB`,
  );
  console.log(describeCalibration(bodiesOf(order.slice(0, part), 0)));
}

/** Returns the processor time of the service and of PostgreSQL. */
function timeOf(cpu: CpuTime): number {
  return cpuUsers.reduce((sum, user) => (user === 'load generator' ? sum : sum + cpu[user]), 0);
}

async function describeDisk(): Promise<void> {
  const { rows } = await database.query(`
    select pg_relation_size('contacts')::bigint as rows, pg_total_relation_size('contacts')::bigint as all`);
  const each = (bytes: unknown): string => (Number(bytes) / contacts).toFixed(0);
  console.log(`\ndisk: ${each(rows[0].all)} bytes for each contact, of which the row ${each(rows[0].rows)}`);
}

async function searches(): Promise<void> {
  console.log(`\n${contacts} contacts, ${runs} runs each; milliseconds`);
  console.log('| query | p50 | p95 | by hand p50 |\n|---|---|---|---|');
  for (const one of searchCases(contacts)) {
    const times = await measureSearch(service, database, one, runs, [one.floor]);
    console.log(`| ${one.name} | ${milliseconds(...times)} |`);
  }
}

async function exportAll(): Promise<void> {
  const names = ['FIRST_NAME', 'LAST_NAME', 'CITY', 'BIRTH_DATE', 'SCORE'];
  const keys = await attributeKeys(database, names);
  const all = await service.operator('POST', '/segments', { name: 'All contacts', filtering_criteria: [] });
  const audience = { audience_type: 'segment', audience_id: all['audience_id'] };
  let started = performance.now();
  const { rows } = await runExport(service, audience, names);
  const exported = (performance.now() - started) / 1000;
  started = performance.now();
  const copied = await copyByHand(database, keys, 'true');
  const floor = (performance.now() - started) / 1000;
  if (rows !== contacts || copied !== contacts) throw new Error(`${rows} rows exported, ${copied} copied`);
  console.log(
    `\nexport of all contacts: ${exported.toFixed(1)} s, COPY ${floor.toFixed(1)} s, floor / export ${(floor / exported).toFixed(2)}`,
  );
}
