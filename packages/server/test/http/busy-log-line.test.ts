import pino from 'pino';
import { expect, test } from 'vitest';
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
