import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

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

test('the state of the installation has the disk of a data directory that does not exist yet', async () => {
  const dataDir = path.join(os.tmpdir(), 'roster-no-data-directory', 'data');
  await using service = await startTestService({ worker: false, config: { dataDir } });
  const { status, body } = await service.operator('GET', '/system');
  expect(status).toBe(200);
  expect(body.disk.total).toBeGreaterThan(0);
});
