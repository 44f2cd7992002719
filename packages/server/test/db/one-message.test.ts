import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { until } from '../crash/wait.ts';
import { createTestDatabase } from '../support/database.ts';
import { forFile } from '../support/for-file.ts';

const database = await forFile(createTestDatabase());
// There is one connection, so a setting that one test leaves on it affects the next test.
const pool = new pg.Pool({ connectionString: database.url, max: 1 });
// When the database is dropped at the end, the server may not have noticed yet that the pool ended.
pool.on('error', () => undefined);
afterAll(() => pool.end());
beforeEach(async () => {
  await pool.query('drop table if exists notes; create table notes (text text)');
});

const write = (text: string) => sql`insert into notes values (${text})`;
const read = sql`select text from notes order by text`;
const notes = async () => (await pool.query('select text from notes order by text')).rows.map(({ text }) => text);

test('each transaction in a message returns the rows of its last statement', async () => {
  const hostile = `'; drop table notes; --\\`;
  expect(await inOneMessage(pool, [[write('a'), read], [write(hostile)], [read]])).toEqual([
    [{ text: 'a' }],
    [],
    [{ text: hostile }, { text: 'a' }],
  ]);
});

test('a failing statement rolls back only its own transaction, and later messages work', async () => {
  const message = inOneMessage(pool, [[write('kept')], [write('undone'), sql`select 1 / 0`], [write('never run')]]);
  await expect(message).rejects.toMatchObject({ code: '22012' });
  expect(await notes()).toEqual(['kept']);
  await inOneMessage(pool, [[write('later')]]);
  expect(await notes()).toEqual(['kept', 'later']);
});

test('withoutWaitingForDisk applies to one transaction only', async () => {
  const setting = sql`show synchronous_commit`;
  const [first, second] = await inOneMessage(pool, [[withoutWaitingForDisk, write('a'), setting], [setting]]);
  expect([first, second]).toEqual([[{ synchronous_commit: 'off' }], [{ synchronous_commit: 'on' }]]);
  expect(await notes()).toEqual(['a']);
});

test('a statement sees changes that were committed while the previous statement waited for a lock', async () => {
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query('begin; select pg_advisory_xact_lock(1)');
    const message = inOneMessage(pool, [[sql`select pg_advisory_xact_lock(1)`, read]]);
    await until('the message waits', 10_000, async () => {
      const { rows } = await other.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length > 0;
    });
    await other.query(`insert into notes values ('meanwhile'); commit`);
    expect(await message).toEqual([[{ text: 'meanwhile' }]]);
  } finally {
    await other.end();
  }
});
