import { expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

test('the state of the installation is only for its administrators', async () => {
  await using service = await startTestService();
  await using _jobs = service.startJobs();
  const state = async () => (await service.operator('GET', '/system')).body;
  await expect.poll(async () => (await state()).processes.workers).toBe(1);
  const { database, disk, backups } = await state();
  expect(database.size).toBeGreaterThan(1_000_000);
  expect(database.version).toMatch(/^\d+\.\d+$/);
  expect(disk.free).toBeLessThanOrEqual(disk.total);
  expect(backups).toEqual([]);
  expect((await service.call('GET', '/admin/v1/system', { headers: { 'api-key': service.first.apiKey } })).status).toBe(
    403,
  );
});
