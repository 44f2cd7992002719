import pg from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { onSingleServerOnly, withDatabase } from '../support/cluster.ts';
import { startTestService } from '../support/service.ts';

test('the log counts requests that fail because the service is busy in one line, and has its own line for a defect', async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const service = await startTestService({ log, worker: false });
  const { pool } = service.context;
  const batch = { listid: 1, primarykey: 'EMAIL', contacts: [{ EMAIL: 'asha@example.com' }] };
  const headers = { 'api-key': service.first.apiKey };
  expect((await service.first.v5('/contact/search', {})).status).toBe(200);

  const clients = await Promise.all(Array.from({ length: pool.options.max }, async () => pool.connect()));
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, async () => service.first.operator('GET', '/lists')),
    service.call('POST', '/v3/contact/batchadd', { body: batch, headers }),
  ]);
  for (const client of clients) client.release();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));

  await pool.query('alter table audiences rename to gone');
  expect((await service.first.operator('GET', '/lists')).status).toBe(500);
  await service[Symbol.asyncDispose]();
  const failures = lines.filter(({ level, msg }) => level >= 40 && msg.includes('request'));
  expect(failures).toMatchObject([
    { level: 50, msg: 'a request failed', code: 'internal' },
    { level: 40, overloaded: 6, no_connection: 6, timed_out: 0, pipeline_busy: 0, locked: 0 },
  ]);
}, 30_000);

onSingleServerOnly('it stops one server')(
  'the log has one line with the reason, and one with the number, of the requests that fail without a database',
  async () => {
    const lines: { level: number; msg: string }[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const service = await startTestService({ log, worker: false });
    const url = service.context.config.databaseUrl!;
    const name = new URL(url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);

    await expect.poll(async () => (await service.first.operator('GET', '/lists')).status).toBe(503);
    for (let call = 0; call < 5; call++) expect((await service.first.operator('GET', '/lists')).status).toBe(503);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    await service[Symbol.asyncDispose]();
    const failures = lines.filter(({ level, msg }) => level >= 40 && msg.includes('request'));
    expect(failures).toEqual([
      expect.objectContaining({ level: 50, msg: 'a request failed', code: 'unavailable' }),
      expect.objectContaining({ level: 40, msg: expect.stringContaining('could not be reached') }),
    ]);
    expect(failures[1]).toHaveProperty(
      'requests',
      expect.toSatisfy((count: number) => count >= 6),
    );
  },
  30_000,
);
