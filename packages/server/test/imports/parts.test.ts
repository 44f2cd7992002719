import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { beginUpload, fileKeyOf } from '#features/imports/store/import-store.ts';
import { importUpkeep } from '#features/imports/upkeep/import-upkeep.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import type { Answer } from '../support/service.ts';
import { startImportService } from './import-service.ts';

const imports = await forFile(startImportService());
const url = await listening(imports.service);

function csv(name: string, rows = 200): Buffer {
  const lines = Array.from({ length: rows }, (_, n) => `${name}-${n}@example.com,"Pune ${n}, ü"`);
  return Buffer.from(`EMAIL,CITY\r\n${lines.join('\r\n')}\r\n`);
}

const range = (start: number, size: number, total: number | '*'): Record<string, string> => ({
  'content-range': `bytes ${start}-${start + size - 1}/${total}`,
});

/** Sends a file in parts of some bytes, and returns the last answer. */
async function sendParts(importId: string, file: Buffer, size: number) {
  let answer: Answer | undefined;
  for (let start = 0; start < file.length; start += size) {
    const part = file.subarray(start, start + size);
    const total = start + part.length === file.length ? file.length : '*';
    answer = await imports.send(importId, part, range(start, part.length, total));
    expect(answer).toMatchObject({ status: 200, body: { received_bytes: start + part.length } });
  }
  return answer!;
}

test.each([
  ['of a few bytes', 7, 12],
  ['of some kilobytes', 3000, 200],
])('a file that is sent in parts %s is imported as one file, and its parts are deleted', async (name, size, rows) => {
  for (const compressed of [false, true]) {
    const file = csv(`parts-${size}-${compressed}`, rows);
    const { import_id } = await imports.create();
    const answer = await sendParts(import_id, compressed ? gzipSync(file) : file, size);
    expect(answer.body, name).toMatchObject({ status: 'accepted', format: 'csv' });
    const ended = await imports.ended(import_id);
    expect(ended).toMatchObject({ status: 'completed', counts: { total: rows, created: rows, failed: 0 } });
  }
  expect(await imports.files()).toEqual([]);
});

test('an upload that breaks off inside a part can continue with that part', async () => {
  const file = csv('broken');
  const { import_id } = await imports.create();
  await imports.send(import_id, file.subarray(0, 2000), range(0, 2000, '*'));
  const broken = request(`${url}/admin/v1/accounts/1/imports/${import_id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${testAdminToken}`, 'content-length': 2000, ...range(2000, 2000, '*') },
  });
  broken.on('error', () => undefined);
  broken.write(file.subarray(2000, 3000), () => broken.destroy());
  await new Promise((resolve) => broken.once('close', resolve));
  expect(await imports.find(import_id)).toMatchObject({
    status: 'awaiting_file',
    received_bytes: 2000,
    file_size: null,
  });
  const rest = file.subarray(2000);
  const answer = await imports.send(import_id, rest, range(2000, rest.length, file.length));
  expect(answer).toMatchObject({ status: 200, body: { status: 'accepted', received_bytes: file.length } });
  expect((await imports.ended(import_id)).counts).toMatchObject({ total: 200, created: 200 });
});

test('an upload is refused at its end if the rights of the caller ended meanwhile', async () => {
  const { account } = imports;
  const { api_key, api_key_id } = (
    await account.operator('POST', '/api-keys', { name: 'U', scopes: ['imports:write'] })
  ).body;
  const file = csv('revoked');
  const { import_id } = await imports.create();
  const slow = request(`${url}/admin/v1/accounts/1/imports/${import_id}/file`, {
    method: 'PUT',
    headers: { 'api-key': api_key, 'content-length': file.length },
  });
  const response = once(slow, 'response') as Promise<[IncomingMessage]>;
  const begun = imports.service.context.db.selectFrom('imports').where('import_id', '=', import_id).select('writes');
  slow.write(file.subarray(0, 1000));
  while ((await begun.executeTakeFirstOrThrow()).writes === 0) await setImmediate();
  expect((await account.operator('DELETE', `/api-keys/${api_key_id}`)).status).toBe(204);
  slow.end(file.subarray(1000));
  const [{ statusCode }] = await response;
  expect(statusCode).toBe(401);
  expect(await imports.find(import_id)).toMatchObject({ status: 'awaiting_file', received_bytes: 0 });
  expect((await imports.files()).filter((name) => name.startsWith(import_id))).toEqual([]);
});

test('a part that is not the next one, or is damaged, is refused and changes nothing', async () => {
  const file = csv('order');
  const { import_id } = await imports.create();
  const refused = async (part: Buffer, headers: Record<string, string>) => {
    const { status, body } = await imports.send(import_id, part, headers);
    expect((await imports.find(import_id)).status).toBe('awaiting_file');
    return [status, body.description];
  };
  const first = file.subarray(0, 1000);
  expect(await refused(file.subarray(1000), range(1000, file.length - 1000, file.length))).toEqual([
    409,
    expect.stringContaining('The import has 0 bytes of the file. Send the part that begins at this position'),
  ]);
  expect(await refused(first, range(0, 999, '*'))).toEqual([400, expect.stringContaining('says 999 bytes')]);
  expect(await refused(first, { 'content-range': 'bytes 5' })).toEqual([
    400,
    expect.stringContaining('Content-Range must'),
  ]);
  const digest = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
  const wrong = { ...range(0, 1000, '*'), 'content-digest': digest(file) };
  expect(await refused(first, wrong)).toEqual([400, expect.stringContaining('checksum of Content-Digest')]);

  // The same part several times concurrently, as after lost answers: one of them is accepted.
  const right = { ...range(0, 1000, '*'), 'content-digest': digest(first) };
  const answers = await Promise.all([1, 2, 3].map(() => imports.send(import_id, first, right)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(await imports.find(import_id)).toMatchObject({ received_bytes: 1000 });

  // A file that is sent as a whole replaces the parts.
  expect((await imports.send(import_id, file)).body).toMatchObject({ status: 'accepted', file_size: file.length });
  expect((await imports.ended(import_id)).counts).toMatchObject({ total: 200, created: 200 });
  expect(await imports.files()).toEqual([]);
});

test('a part that states another file size than earlier parts is refused, and the upload can continue', async () => {
  const file = csv('sizes');
  const size = file.length;
  const { import_id } = await imports.create();
  const send = async (start: number, end: number, total: number | '*') => {
    const { status, body } = await imports.send(import_id, file.subarray(start, end), range(start, end - start, total));
    return status === 200 ? body.received_bytes : [status, body.description];
  };
  expect(await send(0, 1000, '*')).toBe(1000);
  expect(await send(1000, 2000, size)).toBe(2000);
  const advice = 'Send parts of the same file, or create another import.';
  const refusal = [409, `Earlier parts say that the file has ${size} bytes, but this part says ${size + 1}. ${advice}`];
  expect(await send(2000, 3000, size + 1)).toEqual(refusal);
  // The same holds for a part that would end the file, and for a part that is not the next one.
  expect((await imports.send(import_id, file.subarray(2000, 3000), range(2000, 1000, 3000))).status).toBe(409);
  expect(await send(0, 1000, size + 1)).toEqual(refusal);
  expect(await imports.send(import_id, Buffer.alloc(size), range(2000, size, '*'))).toMatchObject({
    status: 409,
    body: {
      description: `Earlier parts say that the file has ${size} bytes, but this part ends at ${size + 2000}. ${advice}`,
    },
  });
  expect(await imports.find(import_id)).toMatchObject({ status: 'awaiting_file', received_bytes: 2000 });
  // A part without the file size is the last one if it ends at the size that an earlier part
  // stated.
  expect(await send(2000, 3000, '*')).toBe(3000);
  expect(await send(3000, size, '*')).toBe(size);
  expect((await imports.ended(import_id)).counts).toMatchObject({ total: 200, created: 200 });
});

test('when two first parts with different file sizes are sent concurrently, one is accepted and the other gets 409', async () => {
  const file = csv('both');
  const { import_id } = await imports.create();
  const answers = await Promise.all(
    [file.length, file.length + 1].map((total) =>
      imports.send(import_id, file.subarray(0, 1000), range(0, 1000, total)),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await imports.find(import_id)).toMatchObject({ received_bytes: 1000 });
  await imports.account.operator('POST', `/imports/${import_id}/cancel`);
  await imports.ended(import_id);
});

test('the first part is refused when the stated file size is over the limit', async () => {
  await using small = await startImportService({ jobs: false, worker: false, config: { importFileMb: 1 } });
  const { import_id } = await small.create();
  expect(await small.send(import_id, 'EMAIL\r\n', range(0, 7, 1024 * 1024 + 1))).toMatchObject({ status: 413 });
  expect(await small.send(import_id, 'EMAIL\r\n', range(0, 7, 1024 * 1024))).toMatchObject({ status: 200 });
});

test('the parts of an import are deleted when it is cancelled or cannot run', async () => {
  const part = csv('never').subarray(0, 100);
  const cancelled = await imports.create();
  await imports.send(cancelled.import_id, part, range(0, 100, '*'));
  await imports.account.operator('POST', `/imports/${cancelled.import_id}/cancel`);
  expect(await imports.ended(cancelled.import_id)).toMatchObject({ status: 'cancelled' });
  const useless = await imports.create();
  await imports.send(useless.import_id, 'CITY\r\nPune\r\n', range(0, 12, 17));
  const answer = await imports.send(useless.import_id, 'Goa\r\n', range(12, 5, 17));
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'failed', failure: { code: 'identity_column_missing' } },
  });
  await imports.ended(useless.import_id);
  expect(await imports.files()).toEqual([]);
});

test('an import fails when a part of its file is lost before the last one comes', async () => {
  const file = csv('lost');
  const { import_id } = await imports.create();
  await imports.send(import_id, file.subarray(0, 1000), range(0, 1000, file.length));
  // As if the API processes had separate directories.
  await rm(path.join(imports.filesOf(1), `${import_id}-1`));
  const answer = await imports.send(import_id, file.subarray(1000), range(1000, file.length - 1000, file.length));
  expect(answer).toMatchObject({ status: 200, body: { status: 'failed', failure: { code: 'file_lost' } } });
  await imports.ended(import_id);
  expect(await imports.files()).toEqual([]);
});

test('a file that a killed process stored but did not record is deleted when its import expires without a file', async () => {
  let now = Date.now();
  await using own = await startImportService({ now: () => new Date(now) });
  const { context } = own.service;
  const { import_id: importId } = await own.create();
  // The file is stored, but not yet recorded as a part or as the file of the import.
  const row = (await beginUpload(context.db, { accountId: 1, id: importId }))!;
  await context.exportFiles.write(fileKeyOf(row, row.writes), {
    contentType: 'text/csv',
    onBegin: async () => undefined,
    fill: (sink) => pipeline([csv('stored')], sink),
  });
  expect(await own.files()).toEqual([`${importId}-1`]);
  now += 25 * 3_600_000;
  await importUpkeep(context, new AbortController().signal);
  expect(await own.find(importId)).toMatchObject({ status: 'failed', failure: { code: 'file_not_sent' } });
  await expect.poll(() => own.files()).toEqual([]);
});
