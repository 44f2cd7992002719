import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startTestService, type TestAccount } from '../support/service.ts';

test('the state of the installation is only for its administrators', async () => {
  await using service = await startTestService();
  await using _jobs = service.startJobs();
  const state = async () => (await service.operator('GET', '/system')).body;
  await expect.poll(async () => (await state()).processes).toEqual({ api: 1, workers: 1 });
  const { database, disk, backups } = await state();
  expect(database.size).toBeGreaterThan(1_000_000);
  expect(database.version).toMatch(/^\d+\.\d+$/);
  expect(disk.free).toBeLessThanOrEqual(disk.total);
  expect(backups).toEqual([]);
  expect((await service.call('GET', '/admin/v1/system', { headers: { 'api-key': service.first.apiKey } })).status).toBe(
    403,
  );
});

test('the accounts that have waited the longest are named, with their waiting requests', async () => {
  let now = new Date('2026-03-01T10:00:00Z');
  await using service = await startTestService({ worker: false, now: () => now });
  const waiting = async () => (await service.operator('GET', '/system')).body.pipeline.waiting_accounts;
  expect(await waiting()).toEqual([]);
  const large = await service.createAccount({ name: 'Large', settings: { buckets: 16 } });
  const accounts = [large, await service.createAccount({ name: 'Small' })];
  const create = async (account: TestAccount, contacts: number) => {
    const emails = Array.from({ length: contacts }, (_, at) => ({ identity: `person${at}@example.com` }));
    const body = { data: { contact_type: 'identified', contacts: emails } };
    expect((await account.v5('/contact/create', body)).status).toBe(200);
  };
  // A request of many contacts has a part in each lane, and is one request.
  for (const contacts of [100, 1]) {
    for (const account of accounts) {
      await create(account, contacts);
      now = new Date(now.getTime() + 60_000);
    }
  }
  const ofAccount = { buckets: 1, waiting_requests: 2 };
  expect(await waiting()).toEqual([
    {
      ...ofAccount,
      account_id: large.accountId,
      name: 'Large',
      buckets: 16,
      oldest_waiting: '2026-03-01T10:00:00.000Z',
    },
    { ...ofAccount, account_id: accounts[1]!.accountId, name: 'Small', oldest_waiting: '2026-03-01T10:01:00.000Z' },
  ]);
  await using _worker = service.startWorker();
  await service.settled();
  expect(await waiting()).toEqual([]);
});

test('the state of the installation has the disk of a data directory that does not exist yet', async () => {
  const dataDir = path.join(os.tmpdir(), 'roster-no-data-directory', 'data');
  await using service = await startTestService({ worker: false, config: { dataDir } });
  const { status, body } = await service.operator('GET', '/system');
  expect(status).toBe(200);
  expect(body.disk.total).toBeGreaterThan(0);
});
