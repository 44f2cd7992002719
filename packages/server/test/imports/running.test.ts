import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runImport } from '#features/imports/run/run-import.ts';
import { uploadFile } from '#features/imports/routes/upload-file.ts';
import { startImportService } from './import-service.ts';
import { forFile } from '../support/for-file.ts';

const imports = await forFile(startImportService());

function rows(prefix: string, count: number, city = 'Pune'): string {
  return `EMAIL,CITY\n${Array.from({ length: count }, (_, n) => `${prefix}-${n}@example.com,${city}\n`).join('')}`;
}

async function count(account = imports.account): Promise<number> {
  const answer = await account.v5('/contact/search', { output: { get_count: true, pagination: { limit: 1 } } });
  return answer.body.count;
}

test('two imports and API requests of one account are applied concurrently and completely', async () => {
  const account = await imports.service.createAccount({ name: 'Busy' });
  const first = imports.run(rows('a', 15_000), {}, account);
  const second = imports.run(rows('b', 15_000), {}, account);
  const writes = Array.from({ length: 20 }, (_, n) => account.createContacts([{ identity: `w-${n}@example.com` }]));
  await Promise.all(writes);
  for (const ended of await Promise.all([first, second])) {
    expect(ended).toMatchObject({ status: 'completed', counts: { total: 15_000, created: 15_000, failed: 0 } });
  }
  expect(await count(account)).toBe(30_020);
  const queue = await imports.service.context.db.selectFrom('request_queue').select('seq').execute();
  expect(queue).toEqual([]);
});

test('while other accounts wait, an account has only one import in a process', async () => {
  await using held = await startImportService({ worker: false, jobs: false });
  const other = await held.service.createAccount({ name: 'Other' });
  // They cannot end, because no worker applies their rows.
  const own = [await held.create(), await held.create(), await held.create()];
  for (const { import_id } of own) await held.send(import_id, rows('a', 10));
  const { import_id } = await held.create({ dry_run: true }, other);
  await held.send(import_id, rows('b', 10), {}, other);
  await using _jobs = held.service.startJobs();
  expect((await held.ended(import_id, other)).status).toBe('completed');
});

test('an import has up to 8,000 rows in the queue, and a cancel withdraws them', async () => {
  await using held = await startImportService({ worker: false });
  const { import_id } = await held.create();
  await held.send(import_id, rows('q', 50_000));
  const { db } = held.service.context;
  const waiting = async () =>
    (await db.selectFrom('request_queue').select('total').execute()).reduce((sum, { total }) => sum + total, 0);
  while ((await waiting()) < 8000) await new Promise((resolve) => setTimeout(resolve, 5));
  // By now the import has read the next chunk, which must wait.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await waiting()).toBe(8000);
  expect(await held.find(import_id)).toMatchObject({
    status: 'running',
    progress: { rows_read: 8000 },
    counts: { total: 0 },
  });

  const cancelled = await held.account.operator('POST', `/imports/${import_id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'cancelled' });
  const ended = await held.ended(import_id);
  expect(ended.counts).toMatchObject({ total: 8000, created: 0, failed: 8000 });
  expect(await waiting()).toBe(0);
  const failures = await held.failures(import_id);
  expect(failures).toHaveLength(8000);
  expect(failures.at(-1)).toMatchObject({ IMPORT_LINE: '8001', IMPORT_CODE: 'withdrawn', EMAIL: 'q-7999@example.com' });
  expect((await held.account.operator('POST', `/imports/${import_id}/cancel`)).status).toBe(200);
  await using _worker = held.service.startWorker();
  expect(await count(held.account)).toBe(0);
});

test.each([
  ['the creation of attributes for its new columns', { unknown_columns: 'create' }, 'EMAIL,TIER\na@example.com,gold\n'],
  ['its requests', {}, rows('s', 2)],
])('a stop ends an import that waits for %s', async (_what, body, file) => {
  await using held = await startImportService({ worker: false, jobs: false });
  const { context } = held.service;
  const { import_id } = await held.create(body);
  await held.send(import_id, file);
  const stopping = new AbortController();
  const payload = { account_id: held.account.accountId, import_id };
  const job = { signal: stopping.signal, jobId: '1', attempt: 1, maxAttempts: 8 };
  const running = runImport(context, payload, job);
  const waiting = () => context.db.selectFrom('request_queue').select('seq').execute();
  await expect.poll(async () => (await waiting()).length).toBe(1);
  stopping.abort(new Error('the process stops'));
  await expect(running).rejects.toThrow('the process stops');
  expect(await held.find(import_id)).toMatchObject({ status: 'running' });
});

test('an attribute cannot be deleted or renamed while an import writes it', async () => {
  await using held = await startImportService({ jobs: false });
  await held.account.v5('/client/attribute/create', { data: [{ name: 'TIER', data_type: 'text' }] });
  await held.service.settled();
  const { import_id } = await held.create({ file_name: 'tiers.csv' });
  await held.send(import_id, 'EMAIL,TIER\na@example.com,gold\n');
  const usage = await held.account.v5('/client/attribute/usage', { data: ['TIER'] });
  expect(usage.body.data[0]).toMatchObject({
    in_use: true,
    usage: [{ feature: 'import', id: import_id, name: 'tiers.csv' }],
  });
  const deleted = await held.account.v5('/client/attribute/delete', { data: ['TIER'] });
  expect(deleted).toMatchObject({ status: 400 });
  const renamed = await held.account.v5('/client/attribute/update', { data: [{ name: 'TIER', new_name: 'LEVEL' }] });
  expect(renamed).toMatchObject({ status: 400 });
  await using _jobs = held.service.startJobs();
  expect((await held.ended(import_id)).counts).toMatchObject({ created: 1, warnings: 0 });
});

test('an import is not visible to other accounts, and an invalid import is refused', async () => {
  const other = await imports.service.createAccount({ name: 'Other' });
  const { import_id } = await imports.create();
  expect((await other.operator('GET', `/imports/${import_id}`)).status).toBe(404);
  expect((await other.operator('POST', `/imports/${import_id}/cancel`)).status).toBe(404);
  expect((await other.operator('GET', `/imports/${import_id}/failures`)).status).toBe(404);
  expect((await imports.send(import_id, rows('x', 1), {}, other)).status).toBe(404);
  expect((await other.operator('GET', '/imports')).body.data).toEqual([]);
  const refused = await other.operator('POST', '/imports', { audience_ids: [77], dryrun: true, mode: 'merge' });
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'audience_ids[0]',
    'dryrun',
    'mode',
  ]);
});

test('imports are listed page by page, newest first, and can be filtered by status', async () => {
  const account = await imports.service.createAccount({ name: 'Listed' });
  const made = [];
  for (let n = 0; n < 3; n++) made.push((await imports.create({ file_name: `${n}.csv` }, account)).import_id);
  const first = (await account.operator('GET', '/imports?limit=2')).body;
  expect(first.data.map((one: { import_id: string }) => one.import_id)).toEqual([made[2], made[1]]);
  const second = (await account.operator('GET', `/imports?limit=2&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ data: [{ import_id: made[0] }], next_cursor: null });
  await account.operator('POST', `/imports/${made[0]}/cancel`);
  const cancelled = (await account.operator('GET', '/imports?status=cancelled')).body;
  expect(cancelled.data).toMatchObject([{ import_id: made[0], status: 'cancelled' }]);
  const log = (await account.operator('GET', '/audit-log')).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['import.create', 'import.cancel']),
  );
});

test('an upload that ends after another upload of the same import gets 409, and does not affect the import', async () => {
  const other = await imports.service.createAccount({ name: 'Twice' });
  for (const late of ['EMAIL,City\nlate@example.com,x\n', 'no column of contacts\n']) {
    const { import_id } = await imports.create({}, other);
    const key = { accountId: other.accountId, id: import_id };
    const body = new PassThrough();
    body.write('EMAIL,');
    const { context } = imports.service;
    const upload = uploadFile(context, key, {
      body,
      saysGzip: false,
      length: undefined,
      part: undefined,
      digest: undefined,
      checkRights: async () => undefined,
      disconnected: new AbortController().signal,
    });
    const begun = context.db.selectFrom('imports').where('import_id', '=', import_id).select('writes');
    while ((await begun.executeTakeFirstOrThrow()).writes === 0) await setImmediate();
    await imports.send(import_id, rows('taken', 10_000), {}, other);
    body.end(late.replace('EMAIL,', ''));
    await expect(upload).rejects.toMatchObject({ code: 'conflict' });
    const ended = await imports.ended(import_id, other);
    expect(ended).toMatchObject({ status: 'completed', failure: null, counts: { total: 10_000, failed: 0 } });
    expect((await imports.files()).filter((name) => name.startsWith(import_id))).toEqual([]);
  }
  expect(await count(other)).toBe(10_000);
});
