import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { AccountDetail } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startDueSchedules } from '#features/exports/schedules/run-schedule.ts';
import { deleteExpiredFiles } from '#features/exports/upkeep/export-upkeep.ts';
import { importUpkeep } from '#features/imports/upkeep/import-upkeep.ts';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { startReceiver, trustReceivers, type Answer as FileAnswer } from '../callbacks/receiver.ts';
import { loopback } from '../callbacks/support.ts';
import { until } from '../crash/wait.ts';
import { startImportService } from '../imports/import-service.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import type { TestAccount } from '../support/service.ts';

const mebibyte = 1024 * 1024;
const day = 24 * 3_600_000;
const never = new AbortController().signal;
const header = 'EMAIL,CITY\n';
const noRoom = { description: expect.stringContaining('There is no room for the file.') };

let now = Date.parse('2026-03-02T09:00:00Z');
let account: TestAccount;
/** What the server of the files answers. */
let answer: FileAnswer;

trustReceivers();
const imports = await forFile(
  startImportService({
    now: () => new Date(now),
    resolveHost: loopback,
    config: { filesPerAccountMb: 1, callbackAllow: parseAllowList('files.test') },
  }),
);
const { service } = imports;
const { context } = service;
const url = await listening(service);
const server = await forFile(startReceiver((response, request) => answer(response, request)));
beforeEach(async () => {
  account = await service.createAccount();
});

/** Returns a CSV file of about some bytes, with one contact in each row of 1000 bytes. */
function csv(bytes: number, name = 'asha'): string {
  const rows = Array.from({ length: Math.floor(bytes / 1000) }, (_, n) => `${name}${n}@example.com,${'x'.repeat(970)}`);
  return `${header}${rows.join('\n')}\n`;
}

async function stored(of = account): Promise<AccountDetail['stored_files']> {
  return (await of.operator('GET', '')).body.stored_files;
}

/** Sends a file without its length over a connection. The caller ends the request. */
function streamed(base: string, { accountId }: TestAccount, importId: string) {
  const request = http.request(`${base}/admin/v1/accounts/${accountId}/imports/${importId}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${testAdminToken}` },
  });
  request.on('error', () => undefined);
  const status = once(request, 'response').then(([response]: IncomingMessage[]) => {
    response!.resume();
    return response!.statusCode;
  });
  return { request, status };
}

/** Stores the first byte of a file that will have some bytes. Their room is kept from then on. */
async function reserve(bytes: number): Promise<string> {
  const { import_id: id } = await imports.create({}, account);
  const sent = await imports.send(id, 'E', { 'content-range': `bytes 0-0/${bytes}` }, account);
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return id;
}

const cancel = async (importId: string): Promise<void> => {
  await account.operator('POST', `/imports/${importId}/cancel`);
  await imports.ended(importId, account);
};

/** Imports contacts whose export has some bytes. The imported file is small, because it is gzip. */
async function addContacts(bytes: number): Promise<void> {
  const { import_id: id } = await imports.create({}, account);
  await imports.send(id, gzipSync(csv(bytes)), {}, account);
  expect((await imports.ended(id, account)).status).toBe('completed');
}

const everyone = { filter: {}, attributes: ['EMAIL', 'CITY'] };

async function exported(): Promise<string> {
  const created = await account.operator('POST', '/exports', everyone);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.request_id;
}

async function endOfExport(requestId: string) {
  return until('the export has ended', 25_000, async () => {
    const { body } = await account.operator('GET', `/exports/${requestId}`);
    return body.finished_at === null ? undefined : body;
  });
}

describe('the quota of stored files', () => {
  test('an upload that says its length is refused with 507 when the account has no room for it', async () => {
    const { import_id: id } = await imports.create({}, account);
    const refused = await imports.send(id, csv(1.2 * mebibyte), {}, account);
    expect(refused).toMatchObject({
      status: 507,
      body: {
        description: expect.stringMatching(/^The account can store 1 MiB of files, and stores 0 MiB\. .+ older files/),
      },
    });
    const part = await imports.send(id, 'E', { 'content-range': `bytes 0-0/${2 * mebibyte}` }, account);
    expect(part).toMatchObject({ status: 507, body: noRoom });
    expect(await stored()).toEqual({ limit: mebibyte, used: 0 });
    expect(await imports.find(id, account)).toMatchObject({ status: 'awaiting_file' });

    expect((await imports.send(id, csv(2000), {}, account)).status).toBe(200);
    expect(await imports.ended(id, account)).toMatchObject({ status: 'completed', counts: { created: 2 } });
    expect(await stored()).toEqual({ limit: mebibyte, used: 0 });
  });

  test('an upload without its length is stopped when the room is used up, and leaves no file', async () => {
    const held = await reserve(mebibyte / 2);
    const { import_id: id } = await imports.create({}, account);
    const { request, status } = streamed(url, account, id);
    request.end(csv(0.7 * mebibyte));
    expect(await status).toBe(507);
    expect(await imports.find(id, account)).toMatchObject({ status: 'awaiting_file' });
    expect(await stored()).toMatchObject({ used: mebibyte / 2 });
    await cancel(held);
    expect(await stored()).toMatchObject({ used: 0 });
    expect((await imports.send(id, csv(0.7 * mebibyte), {}, account)).status).toBe(200);
  });

  test('of two uploads at the same time that have room only for one, the second is refused at its end', async () => {
    // Without jobs, the first file stays.
    await using held = await startImportService({ jobs: false, config: { filesPerAccountMb: 1 } });
    const base = await listening(held.service);
    const uploads = [];
    for (const name of ['asha', 'ravi']) {
      const { import_id: id } = await held.create();
      const file = csv(0.7 * mebibyte, name);
      const upload = streamed(base, held.account, id);
      upload.request.write(file.slice(0, 1000));
      uploads.push({ ...upload, rest: file.slice(1000) });
    }
    await until('both files are being written', 10_000, async () => (await held.files()).length === 2);
    for (const { request, rest } of uploads) request.end(rest);
    const statuses = await Promise.all(uploads.map(async ({ status }) => status));
    expect(statuses.toSorted((one, two) => one! - two!)).toEqual([200, 507]);
    expect(await held.files()).toHaveLength(1);
  });

  test('parts without the size of the file count with what has arrived', async () => {
    const { import_id: id } = await imports.create({}, account);
    const half = Buffer.from(csv(0.6 * mebibyte));
    const range = (start: number) => ({ 'content-range': `bytes ${start}-${start + half.length - 1}/*` });
    expect((await imports.send(id, half, range(0), account)).status).toBe(200);
    expect(await stored()).toMatchObject({ used: half.length });
    expect(await imports.send(id, half, range(half.length), account)).toMatchObject({ status: 507, body: noRoom });
    expect(await stored()).toMatchObject({ used: half.length });
  });

  test.each([
    ['with its length', true],
    ['without its length', false],
  ])('a fetch of a file %s ends when the account has no room for it', async (_name, saysLength) => {
    const file = csv(1.2 * mebibyte);
    answer = (response) => {
      if (saysLength) response.setHeader('content-length', Buffer.byteLength(file));
      response.write(file.slice(0, 10));
      response.end(file.slice(10));
    };
    const created = await imports.create({ source_url: `http://files.test:${server.port}/a.csv` }, account);
    expect(await imports.ended(created.import_id, account)).toMatchObject({
      status: 'failed',
      failure: { code: 'storage_quota', message: expect.stringMatching(/^The account can store .+ imported\.$/) },
    });
    expect(await stored()).toMatchObject({ used: 0 });
  });

  test('a file of failures counts until it expires, and the import fails when there is no room for it', async () => {
    const failing = 'EMAIL,CITY\nasha@example.com,Pune\nnobody,Goa\n';
    const ended = await imports.run(failing, {}, account);
    const failures = await account.operator('GET', `/imports/${ended.import_id}/failures`);
    expect(await stored()).toMatchObject({ used: Buffer.byteLength(failures.body) });
    now += 8 * day;
    await importUpkeep(context, never);
    expect(await stored()).toMatchObject({ used: 0 });

    const large = `${csv(1.2 * mebibyte).replaceAll('@example.com', '')}ravi@example.com,Pune\n`;
    const { import_id: id } = await imports.create({}, account);
    expect((await imports.send(id, gzipSync(large), {}, account)).status).toBe(200);
    expect(await imports.ended(id, account)).toMatchObject({
      status: 'failed',
      failure: { code: 'storage_quota', message: expect.stringContaining('Valid rows are not affected.') },
      counts: { created: 1 },
    });
    expect(await account.operator('GET', `/imports/${id}/failures`)).toMatchObject({
      status: 410,
      body: { description: expect.stringContaining('could not be written') },
    });
    expect(await stored()).toMatchObject({ used: 0 });
  });

  test('an export counts until its file is deleted, and stops when the room is used up', async () => {
    await addContacts(0.6 * mebibyte);
    const first = await endOfExport(await exported());
    expect(first.status).toBe('completed');
    expect(await stored()).toMatchObject({ used: first.file_size });
    const second = await endOfExport(await exported());
    expect(second).toMatchObject({
      status: 'failed',
      error: noRoom.description,
    });
    expect(await stored()).toMatchObject({ used: first.file_size });
    now += 8 * day;
    await deleteExpiredFiles(context, never);
    expect(await stored()).toMatchObject({ used: 0 });
    expect(await endOfExport(await exported())).toMatchObject({ status: 'completed' });
  });

  test('an export whose room is taken while it is written keeps no file', async () => {
    await addContacts(0.6 * mebibyte);
    const { exportFiles } = context;
    const write = exportFiles.write.bind(exportFiles);
    exportFiles.write = async (key, options) => {
      const size = await write(key, options);
      if (key.endsWith('.csv')) await reserve(mebibyte / 2);
      return size;
    };
    const ended = await endOfExport(await exported());
    exportFiles.write = write;
    expect(ended).toMatchObject({ status: 'failed', error: noRoom.description });
    expect((await exportFiles.list(`${account.accountId}/`)).length).toBe(0);
  });

  test('exports and runs of schedules are refused when nothing is left, and other accounts are not affected', async () => {
    const held = await reserve(mebibyte);
    const body = {
      audience_details: { audience_type: 'list', audience_id: await account.createList('All') },
      callback_details: {},
    };
    const request = () => service.call('POST', '/v4/audience/export', { body, headers: { 'api-key': account.apiKey } });
    expect((await request()).status).toBe(507);
    expect(await account.operator('POST', '/exports', everyone)).toMatchObject({
      status: 507,
      body: noRoom,
    });
    const schedule = { name: 'All', ...everyone, timing: { every: 'day', at: '06:30' } };
    const { schedule_id: id } = (await account.operator('POST', '/export-schedules', schedule)).body;
    expect(await account.operator('POST', `/export-schedules/${id}/run`)).toMatchObject({ status: 507, body: noRoom });
    now += day;
    await startDueSchedules(context, never);
    expect((await account.operator('GET', `/export-schedules/${id}/runs`)).body.data).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('The account can store 1 MiB of files, and stores 1 MiB.') },
    ]);

    const other = await service.createAccount();
    const { import_id } = await imports.create({}, other);
    expect((await imports.send(import_id, csv(0.6 * mebibyte), {}, other)).status).toBe(200);
    expect(await imports.ended(import_id, other)).toMatchObject({ status: 'completed' });

    await cancel(held);
    expect((await request()).status).toBe(200);
    expect((await account.operator('POST', `/export-schedules/${id}/run`)).status).toBe(200);
  });

  test('without the setting, there is no limit, and the account shows what it stores', async () => {
    await using usual = await startImportService();
    const { import_id: id } = await usual.create();
    const file = Buffer.from(csv(1.2 * mebibyte));
    const sent = await usual.send(id, file.subarray(0, 10), { 'content-range': `bytes 0-9/${file.length}` });
    expect(sent.status).toBe(200);
    expect((await usual.account.operator('GET', '')).body.stored_files).toEqual({ limit: null, used: file.length });
    const rest = { 'content-range': `bytes 10-${file.length - 1}/${file.length}` };
    expect((await usual.send(id, file.subarray(10), rest)).status).toBe(200);
    expect(await usual.ended(id)).toMatchObject({ status: 'completed' });
  });
});
