import { once } from 'node:events';
import { mkdir, rm, rmdir, symlink } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import pino from 'pino';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { expect, test } from 'vitest';
import { startApi } from '#app/api/api-process.ts';
import { importUpkeep } from '#features/imports/upkeep/import-upkeep.ts';
import { bucket, startS3Server, storeOn } from '../exports/s3-server.ts';
import { until } from '../crash/wait.ts';
import { testAdminToken } from '../support/context.ts';
import { startImportService } from './import-service.ts';
import type { TestAccount } from '../support/service.ts';

const day = 24 * 3_600_000;

test('an import keeps its files in S3 if the service stores files there', async () => {
  await using server = await startS3Server();
  await using store = storeOn(server);
  await using imports = await startImportService({ exportFiles: store });
  const ended = await imports.run('EMAIL,CITY\na@example.com,Pune\nnobody,Goa\n');
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 1, failed: 1 } });
  expect(await imports.failures(ended.import_id)).toMatchObject([{ IMPORT_LINE: '3', EMAIL: 'nobody' }]);
  expect(await server.objects()).toHaveLength(1);
  expect(await server.unfinished()).toEqual([]);
  expect(bucket).toBe('exports');
});

test('files of failures are deleted when they expire, and an import fails when it gets no file in time', async () => {
  let now = Date.now();
  await using imports = await startImportService({ now: () => new Date(now), config: { importFailuresDays: 2 } });
  const { context } = imports.service;
  const ended = await imports.run('EMAIL\nnobody\n');
  const { import_id } = await imports.create();
  await importUpkeep(context, new AbortController().signal);
  expect(await imports.failures(ended.import_id)).toHaveLength(1);
  now += 2 * day + 1000;
  await importUpkeep(context, new AbortController().signal);
  expect(await imports.files()).toEqual([]);
  expect((await imports.account.operator('GET', `/imports/${ended.import_id}/failures`)).status).toBe(410);
  expect(await imports.find(import_id)).toMatchObject({ status: 'failed', failure: { code: 'file_not_sent' } });
});

test('a file that cannot be deleted does not delay the clean-up of other files and imports', async () => {
  let now = Date.now();
  await using imports = await startImportService({ now: () => new Date(now), config: { importFailuresDays: 2 } });
  const { context } = imports.service;
  const stuck = await imports.run('EMAIL\nnobody\n');
  now += 1000;
  const other = await imports.run('EMAIL\nnobody\n');
  const { import_id: waiting } = await imports.create();
  // A directory in its place cannot be deleted as a file.
  const place = path.join(imports.filesOf(1), `${stuck.import_id}-2`);
  await rm(place);
  await mkdir(place);
  now += 2 * day + 1000;
  await importUpkeep(context, new AbortController().signal);
  expect(await imports.find(waiting)).toMatchObject({ status: 'failed', failure: { code: 'file_not_sent' } });
  expect((await imports.account.operator('GET', `/imports/${other.import_id}/failures`)).status).toBe(410);
  expect(await imports.files()).toEqual([]);
  await rmdir(place);
  await importUpkeep(context, new AbortController().signal);
  expect((await imports.account.operator('GET', `/imports/${stuck.import_id}/failures`)).status).toBe(410);
});

test('an upload over a real connection leaves no file when its client disconnects, and gets 413 when it is too large', async () => {
  await using imports = await startImportService({ config: { importFileMb: 1 } });
  const { context } = imports.service;
  await using api = await startApi({ ...context.config, port: 0 });
  const { import_id } = await imports.create();
  const url = `${api.url}/admin/v1/accounts/1/imports/${import_id}/file`;
  const headers = { authorization: `Bearer ${testAdminToken}` };

  const request = http.request(url, { method: 'PUT', headers });
  request.on('error', () => undefined);
  request.write('EMAIL\na@example.com\n');
  await until('the file is being written', 10_000, async () => (await imports.files()).length > 0);
  request.destroy();
  await until('the unfinished file is deleted', 10_000, async () => (await imports.files()).length === 0);
  expect(await imports.find(import_id)).toMatchObject({ status: 'awaiting_file' });

  async function* large(): AsyncGenerator<Buffer> {
    for (let n = 0; n < 40; n++) yield Buffer.alloc(64 * 1024, 'a@example.com\n');
  }
  const refused = await fetch(url, {
    method: 'PUT',
    headers,
    body: Readable.toWeb(Readable.from(large())),
    duplex: 'half',
  });
  expect(refused.status).toBe(413);
  expect(await imports.files()).toEqual([]);

  const sent = http.request(url, { method: 'PUT', headers });
  sent.end('EMAIL\na@example.com\n');
  const [answer] = (await once(sent, 'response')) as [http.IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
  expect(await imports.ended(import_id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
});

test('an account can send 8 files at the same time, the next one waits, and another account does not', async () => {
  await using imports = await startImportService();
  const { context } = imports.service;
  await using api = await startApi({ ...context.config, port: 0 });
  const other = await imports.service.createAccount();
  const file = 'EMAIL\na@example.com\n';
  const send = async (account: TestAccount): Promise<{ id: string; request: http.ClientRequest }> => {
    const { import_id: id } = await imports.create({}, account);
    const url = `${api.url}/admin/v1/accounts/${account.accountId}/imports/${id}/file`;
    const request = http.request(url, { method: 'PUT', headers: { authorization: `Bearer ${testAdminToken}` } });
    request.on('error', () => undefined);
    return { id, request };
  };
  const statusOf = async (request: http.ClientRequest): Promise<number | undefined> => {
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  const slow = await Promise.all(Array.from({ length: 8 }, () => send(imports.account)));
  for (const { request } of slow) request.write(file);
  await until('eight files are being written', 10_000, async () => (await imports.files()).length === 8);

  const ninth = await send(imports.account);
  const ninthStatus = statusOf(ninth.request);
  ninth.request.end(file);
  const others = await send(other);
  others.request.end(file);
  expect(await statusOf(others.request)).toBe(200);
  expect(await imports.find(ninth.id)).toMatchObject({ status: 'awaiting_file' });

  slow[0]!.request.destroy();
  expect(await ninthStatus).toBe(200);
  for (const { request } of slow) request.destroy();
  await until('the unfinished files are deleted', 10_000, async () => (await imports.files()).length === 0);
});

test('an upload gets 409 when its import is cancelled during the upload', async () => {
  await using imports = await startImportService();
  const { context } = imports.service;
  await using api = await startApi({ ...context.config, port: 0 });
  const { import_id } = await imports.create();
  const url = `${api.url}/admin/v1/accounts/1/imports/${import_id}/file`;
  const headers = { authorization: `Bearer ${testAdminToken}` };
  const request = http.request(url, { method: 'PUT', headers });
  const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
  request.write('EMAIL\na@example.com\n');
  await until('the file is being written', 10_000, async () => (await imports.files()).length > 0);
  expect((await imports.account.operator('POST', `/imports/${import_id}/cancel`)).status).toBe(200);
  await until('the files of the import are deleted', 10_000, async () => (await imports.files()).length === 0);
  request.end('b@example.com\n');
  const [answer] = await answered;
  const text = Buffer.concat(await answer.toArray()).toString();
  expect([answer.statusCode, JSON.parse(text)]).toMatchObject([
    409,
    { description: 'The import is cancelled and does not accept a file. Create another import.' },
  ]);
  expect(await imports.files()).toEqual([]);
});

test('an import fails with storage_full when the disk has no space for the file of failures, and keeps its applied rows', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  await using imports = await startImportService({ jobs: false, log });
  const { import_id } = await imports.create();
  const file = 'EMAIL,CITY\na@example.com,Pune\nnobody,Goa\n';
  expect(await imports.send(import_id, file)).toMatchObject({ status: 200 });
  // A device that is always full, instead of the second file of the import.
  await symlink('/dev/full', path.join(imports.filesOf(1), `${import_id}-2.part`));
  await using _jobs = imports.service.startJobs();
  const ended = await imports.ended(import_id);
  expect(ended).toMatchObject({
    status: 'failed',
    failure: { code: 'storage_full', message: expect.stringContaining('Valid rows are not affected') },
    counts: { created: 1, failed: 1 },
  });
  expect(await imports.account.rows({ output: { fields: ['EMAIL', 'CITY'] } })).toEqual([
    { EMAIL: 'a@example.com', CITY: 'Pune' },
  ]);
  const { status, body } = await imports.account.operator('GET', `/imports/${import_id}/failures`);
  // An empty file would mean that no row has failed.
  expect([status, body.description]).toEqual([410, expect.stringContaining('could not be written')]);
  expect(await imports.files()).toEqual([]);
  // One log line, without data of the rows.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ import: import_id, msg: 'an import failed' }]);
  expect(lines[0]).toContain('ENOSPC');
  expect(lines[0]).not.toMatch(/example\.com|nobody|Goa/);
});

test('the log contains no data of a file that cannot be imported', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  await using imports = await startImportService({ log });
  // The unknown key is found only after the whole file was read.
  const ended = await imports.run('{"EMAIL":"a@example.com"}\n{"EMAIL":"b@example.com","asha@example.com":1}\n');
  expect(ended.failure).toMatchObject({
    code: 'columns_unknown',
    message: expect.stringContaining('asha@example.com'),
  });
  const ofImport = lines.map((line) => JSON.parse(line)).filter((line) => line.import === ended.import_id);
  expect(ofImport).toMatchObject([{ level: 30, code: 'columns_unknown' }]);
  expect(lines.join('')).not.toContain('example.com');
});

test('an upload gets 507 when the disk is full', async () => {
  await using imports = await startImportService({ jobs: false });
  const { exportFiles } = imports.service.context;
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  exportFiles.write = async () => Promise.reject(new StorageFault(full));
  const { import_id } = await imports.create();
  expect(await imports.send(import_id, 'EMAIL\na@example.com\n')).toMatchObject({ status: 507 });
  expect(await imports.find(import_id)).toMatchObject({ status: 'awaiting_file' });
});
