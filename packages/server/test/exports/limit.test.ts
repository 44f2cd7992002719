import { expect, test } from 'vitest';
import { listExport, startExportService } from './export-service.ts';
import { forFile } from '../support/for-file.ts';

const limit = 3;

const exports = await forFile(startExportService({ jobs: false, config: { exportsPerAccount: limit } }));

test('the limit on unfinished exports applies to each account, also for simultaneous requests', async () => {
  const headers = { 'idempotency-key': 'first' };
  const first = await exports.accepted(listExport(1), headers);
  const answers = await Promise.all(Array.from({ length: 2 * limit }, () => exports.request(listExport(1))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit - 1);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(limit + 1);
  for (const {
    status,
    headers: { 'retry-after': retryAfter },
    body,
  } of refused) {
    expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: '60' });
    expect(body.message).toContain(`has ${limit} unfinished exports`);
  }
  const { data } = await exports.account.operator('GET', '/exports').then(({ body }) => body);
  expect(data).toHaveLength(limit);

  // A repeat still gets its first answer, and faults are still reported.
  expect(await exports.accepted(listExport(1), headers)).toBe(first);
  expect((await exports.request(listExport(99))).status).toBe(400);

  const second = await exports.service.createAccount();
  const list = await second.createList('Theirs');
  expect((await exports.request(listExport(list), { 'api-key': second.apiKey })).status).toBe(200);

  await exports.account.operator('POST', `/exports/${first}/cancel`);
  await exports.accepted(listExport(1));
  expect((await exports.request(listExport(1))).status).toBe(429);
});

test('a refused request does not use up its idempotency key', async () => {
  const headers = { 'idempotency-key': 'refused' };
  expect((await exports.request(listExport(1), headers)).status).toBe(429);
  const [newest] = (await exports.account.operator('GET', '/exports')).body.data;
  await exports.account.operator('POST', `/exports/${newest.request_id}/cancel`);
  expect((await exports.request(listExport(1), headers)).status).toBe(200);
});
