/**
 * Measures imports of a CSV file with eight columns by the command line, from the start of `roster
 * import <file>` until the contacts are searchable. The floor is a set-based upsert, as fast as we can
 * write it, on one connection into an identical table on the same server. Both run in turn.
 * `--http` uses the operator API instead. `--rehearse` adds a dry run.
 *
 * `npm run bench:import -- [--rows 1000000] [--http] [--gzip] [--rehearse] [--slice 200000]`
 */
import { parseArgs } from 'node:util';
import { byCommandLine, overHttp, temporaryFile } from './import-ways.ts';
import { createFloor } from './ingest-floor.ts';
import { person, type Person } from './people.ts';
import { shuffled, startBenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    slice: { type: 'string', default: '200000' },
    http: { type: 'boolean', default: false },
    gzip: { type: 'boolean', default: false },
    rehearse: { type: 'boolean', default: false },
  },
});
const rows = Number(options.rows);
const slice = Math.min(Number(options.slice), rows);
const importBy = options.http ? overHttp : byCommandLine;
const lists = [1, 2];
const languages = ['en', 'hi', 'ta', 'mr', 'bn'];

await using service = await startBenchService();
await service.operator('POST', '/lists', { name: 'List 2' });
const database = await service.database();
await database.query(`
  insert into attributes (account_id, attribute_id, name, data_type, created_at, updated_at) values (1, 11, 'SCORE', 'number', now(), now())`);
await database.query('update account_numbers set last_attribute_id = 11 where account_id = 1');

const order = shuffled(rows);
const floors = await Promise.all([1000, 5000].map((perStatement) => createFloor(database, perStatement, member)));
const passes = options.rehearse ? ['dry run', 'insert', 'update'] : ['insert', 'update'];
for (const pass of passes) {
  const version = pass === 'update' ? 1 : 0;
  let seconds = 0;
  let memory = 0;
  const byHand = floors.map(() => 0);
  // Import and floor take turns slice by slice, because the speed of a shared machine varies.
  for (let from = 0; from < rows; from += slice) {
    const part = order.slice(from, from + slice);
    const imported = await importFile(part, version, pass === 'dry run');
    seconds += imported.seconds;
    memory = Math.max(memory, imported.memory);
    if (pass === 'dry run') continue;
    for (const [at, floor] of floors.entries()) byHand[at]! += await floor.upsert(part, version);
  }
  const found = await service.post('/contact/search', { output: { get_count: true, pagination: { limit: 1 } } });
  const expected = pass === 'dry run' ? 0 : rows;
  if (found['count'] !== expected)
    throw new Error(`${String(found['count'])} contacts are searchable, not ${expected}`);
  const rate = (rows / seconds).toFixed(0);
  const memories = `maximum memory of the service ${memory.toFixed(0)} MiB`;
  if (pass === 'dry run') console.log(`${pass}: ${rate} rows/s; ${memories}`);
  else {
    const best = Math.min(...byHand);
    console.log(
      `${pass}: ${rate} rows/s imported, ${(rows / best).toFixed(0)}/s floor (${floors[byHand.indexOf(best)]!.rows} rows per statement), ` +
        `ratio ${(best / seconds).toFixed(2)}; ${memories}`,
    );
  }
}
await database.end();

/** Imports a part of the people. Returns the seconds and the maximum memory of the service. */
async function importFile(part: readonly number[], version: number, dryRun: boolean) {
  // The file is written before the clock starts, like the parameters of the floor.
  await using file = await temporaryFile(chunksOf(part, version), options.gzip);
  let memory = 0;
  const watch = setInterval(() => void service.memory().then((now) => (memory = Math.max(memory, now))), 500);
  const started = performance.now();
  const ended = await importBy(service, file.name, { lists, dryRun });
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const { total, failed } = ended.counts;
  if (ended.status !== 'completed' || total !== part.length || failed > 0) throw new Error(JSON.stringify(ended));
  return { seconds, memory };
}

function chunksOf(part: readonly number[], version: number): Buffer[] {
  const chunks = [Buffer.from('EMAIL,MOBILE,FIRST_NAME,LAST_NAME,CITY,BIRTH_DATE,SCORE,LANGUAGE\r\n')];
  for (let from = 0; from < part.length; from += 1000) {
    const lines = part.slice(from, from + 1000).map((n) => {
      const { identity, mobile, attributes } = member(n, version);
      const { FIRST_NAME, LAST_NAME, CITY, BIRTH_DATE, SCORE, LANGUAGE } = attributes;
      return `${[identity, mobile, FIRST_NAME, LAST_NAME, CITY, BIRTH_DATE, SCORE, LANGUAGE].join(',')}\r\n`;
    });
    chunks.push(Buffer.from(lines.join('')));
  }
  return chunks;
}

/** Returns a person with one more attribute, in the lists of the import. */
function member(n: number, version = 0): Person {
  const { identity, mobile, attributes } = person(n, version);
  return { identity, mobile, attributes: { ...attributes, LANGUAGE: languages[n % languages.length]! }, lists };
}
