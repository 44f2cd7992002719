/**
 * Measures the disk that contacts take: fills an account through the service, vacuums, and shows
 * the bytes a contact of each table and index that has grown.
 *
 * `npm run bench:disk -- [--contacts 200000]`
 */
import { parseArgs } from 'node:util';
import { fill } from './fill.ts';
import { startBenchService } from './support.ts';

const { values: options } = parseArgs({ options: { contacts: { type: 'string', default: '200000' } } });
const contacts = Number(options.contacts);
await using service = await startBenchService();
const database = await service.database();
const before = await sizes();
await fill(service, database, { contacts });
await database.query('vacuum (analyze)');
const after = await sizes();
const grown = [...after]
  .map(([name, bytes]) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / contacts }))
  .filter(({ bytes }) => bytes >= 0.5)
  .sort((one, other) => other.bytes - one.bytes);
const sum = (part: typeof grown): string => part.reduce((total, { bytes }) => total + bytes, 0).toFixed(0);
for (const { name, bytes } of grown) console.log(`${name.padEnd(50)} ${bytes.toFixed(1).padStart(6)} bytes a contact`);
console.log(
  `contacts and its indexes: ${sum(grown.filter(({ name }) => name.startsWith('contacts')))} bytes a contact`,
);
console.log(`all: ${sum(grown)} bytes a contact`);
await database.end();

/** Returns the size of each table and index in bytes, with its out-of-line values. */
async function sizes(): Promise<Map<string, number>> {
  const { rows } = await database.query<{ name: string; bytes: string }>(`
    select coalesce(o.relname || ' (out of line)', c.relname) as name, pg_relation_size(c.oid) as bytes
    from pg_class c left join pg_class o on o.reltoastrelid = c.oid
    where c.relkind in ('r', 'i', 't') and c.relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)`);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
