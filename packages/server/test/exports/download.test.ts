import { rm } from 'node:fs/promises';
import type { Export } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { deleteExpiredFiles } from '#features/exports/upkeep/export-upkeep.ts';
import { listExport, publicUrl, startExportService } from './export-service.ts';
import { forFile } from '../support/for-file.ts';

const start = Date.parse('2026-01-31T09:00:00.500Z');
const days = 24 * 3_600_000;

let now = start;

const exports = await forFile(startExportService({ now: () => new Date(now) }));
await exports.account.createContacts(
  Array.from({ length: 100 }, (_, n) => ({
    identity: `person${n}@example.com`,
    audience_details: [{ audience_id: 1 }],
  })),
);
const url = (await completedExport()).file_url!;
const answer = await exports.download(url);
const whole = answer.body;
const etag = String(answer.headers['etag']);

async function completedExport(): Promise<Export> {
  const found = await exports.ended(await exports.accepted(listExport(1, { attributes_needed: ['EMAIL'] })));
  expect(found.status).toBe('completed');
  return found;
}

test('the URL of a file is below the public URL, names the export and its expiry, and needs no API key', async () => {
  expect(url).toMatch(
    new RegExp(
      `^${publicUrl}/files/exports/1/[0-9a-f-]{36}\\.csv\\?expires=${Math.floor((start + 7 * days) / 1000)}&signature=[\\w-]{43}$`,
    ),
  );
  const { status, headers, body } = await exports.download(url);
  expect(status).toBe(200);
  expect(body.toString().split('\r\n')).toHaveLength(102);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="list-1-2026-01-31.csv"',
    'content-length': String(body.length),
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'last-modified': 'Sat, 31 Jan 2026 09:00:00 GMT',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  });
});

test('HEAD returns the headers of GET without the file', async () => {
  const get = await exports.download(url);
  const head = await exports.download(url, {}, 'HEAD');
  expect(head.status).toBe(200);
  expect(head.body).toHaveLength(0);
  const { date: _, 'x-request-id': __, ...headers } = get.headers;
  expect(head.headers).toMatchObject(headers);
});

describe('ranges of a file', () => {
  const ranged = (range: string, headers = {}, method?: 'HEAD') => exports.download(url, { range, ...headers }, method);

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, -1],
    ['bytes=-7', -7, -1],
    ['bytes=0-0', 0, 0],
    ['bytes=5-999999999', 5, -1],
    ['bytes= 3 - 4 ', 3, 4],
  ])('the range %s returns this part of the file', async (range, from, to) => {
    const first = from < 0 ? whole.length + from : from;
    const last = to < 0 ? whole.length + to : to;
    const { status, headers, body } = await ranged(range);
    expect(status).toBe(206);
    expect(body).toEqual(whole.subarray(first, last + 1));
    expect(headers['content-range']).toBe(`bytes ${first}-${last}/${whole.length}`);
    expect(headers['content-length']).toBe(String(last - first + 1));
  });

  test('a range beyond the end is refused with 416, and the answer has the size of the file', async () => {
    const { status, headers, body } = await ranged(`bytes=${whole.length}-`);
    expect(status).toBe(416);
    expect(headers['content-range']).toBe(`bytes */${whole.length}`);
    expect(body).toHaveLength(0);
  });

  test.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=x', 'bytes=5-2x', '5-6'])(
    'the range %s is ignored, and the whole file is returned',
    async (range) => {
      const { status, body } = await ranged(range);
      expect(status).toBe(200);
      expect(body).toEqual(whole);
    },
  );

  test.each(['bytes=0-9', 'bytes=5000-'])('HEAD ignores the range %s', async (range) => {
    const { status, headers, body } = await ranged(range, {}, 'HEAD');
    expect({ status, length: headers['content-length'], body: body.length }).toEqual({
      status: 200,
      length: String(whole.length),
      body: 0,
    });
    expect(headers['content-range']).toBeUndefined();
  });

  test('If-Range returns the part only if the file is unchanged', async () => {
    expect((await ranged('bytes=0-9', { 'if-range': etag })).status).toBe(206);
    expect((await ranged('bytes=0-9', { 'if-range': 'Sat, 31 Jan 2026 09:00:00 GMT' })).status).toBe(206);
    expect((await ranged('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200);
    expect((await ranged('bytes=0-9', { 'if-range': `W/${etag}` })).status).toBe(200);
    expect((await ranged('bytes=0-9', { 'if-range': 'Sat, 31 Jan 2026 08:59:59 GMT' })).status).toBe(200);
  });
});

test('If-None-Match with the current ETag returns 304 without the file', async () => {
  const { status, headers, body } = await exports.download(url, { 'if-none-match': `"x", ${etag}` });
  expect({ status, body: body.length, etag: headers['etag'] }).toEqual({ status: 304, body: 0, etag });
  expect((await exports.download(url, { 'if-none-match': '"another"' })).status).toBe(200);
});

describe('URLs with an invalid signature', () => {
  const altered: readonly (readonly [string, (address: string) => string])[] = [
    [
      'another signature',
      (address) => address.replace(/signature=./, (found) => `signature=${found.endsWith('A') ? 'B' : 'A'}`),
    ],
    ['no signature', (address) => address.replace(/&signature=.*/, '')],
    ['a shorter signature', (address) => address.slice(0, -1)],
    ['two signatures', (address) => `${address}&signature=x`],
    ['a later expiry', (address) => address.replace(/expires=(\d+)/, (_, seconds) => `expires=${Number(seconds) + 1}`)],
    ['no expiry', (address) => address.replace(/expires=\d+&/, '')],
    ['another account', (address) => address.replace('/exports/1/', '/exports/2/')],
    ['an invalid account id', (address) => address.replace('/exports/1/', '/exports/99999999999/')],
    ['another name', (address) => address.replace('.csv?', '.csv.gz?')],
    ['an export that does not exist', (address) => address.replace(/[0-9a-f]{12}\.csv/, '000000000000.csv')],
    ['no export', (address) => address.replace(/[0-9a-f-]{36}\.csv/, '..%2f..%2fetc')],
  ];

  test('all altered URLs get the same answer, which reveals nothing', async () => {
    const answers = await Promise.all(
      altered.map(async ([name, change]) => {
        const changed = change(url);
        expect(changed, name).not.toBe(url);
        const { status, body } = await exports.download(changed);
        return { status, body: body.toString().replace(/"request_id":"[^"]*"/, '') };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 404,
      body: expect.stringContaining('There is no file at this address'),
    });
  });

  test('the signature for one export does not open another', async () => {
    const other = (await completedExport()).file_url!;
    const query = url.slice(url.indexOf('?'));
    expect((await exports.download(other.replace(/\?.*/, query))).status).toBe(404);
    expect((await exports.download(other)).status).toBe(200);
  });
});

test('a file that is missing in the store returns 404', async () => {
  const found = await completedExport();
  await rm(`${exports.directory}/1/${found.request_id}-1.csv`);
  expect((await exports.download(found.file_url!)).status).toBe(404);
  expect((await exports.download(found.file_url!, {}, 'HEAD')).status).toBe(200);
});

test('a file expires after exactly seven days, and upkeep deletes it', async () => {
  const found = await completedExport();
  expect(found.expires_at).toBe('2026-02-07T09:00:00.500Z');
  now = Date.parse('2026-02-07T08:59:59.999Z');
  expect((await exports.download(found.file_url!)).status).toBe(200);
  now = Date.parse('2026-02-07T09:00:00.000Z');
  const gone = await exports.download(found.file_url!);
  expect(gone.status).toBe(410);
  expect(gone.body.toString()).toContain('expired');

  const { context } = exports.service;
  const signal = new AbortController().signal;
  await deleteExpiredFiles(context, signal);
  expect((await exports.find(found.request_id)).status).toBe('completed');
  now = Date.parse('2026-02-07T09:00:00.500Z');
  await deleteExpiredFiles(context, signal);
  expect(await exports.find(found.request_id)).toMatchObject({ status: 'expired', file_url: null, rows_written: 100 });
  expect(await context.exportFiles.read(`1/${found.request_id}-1.csv`)).toBeUndefined();
  expect((await exports.download(found.file_url!)).status).toBe(410);
  now = start;
  expect((await exports.download(found.file_url!)).status).toBe(410);
});

test('a file that cannot be deleted does not block others, and is retried', async () => {
  const [first, second, third] = [await completedExport(), await completedExport(), await completedExport()];
  const { context } = exports.service;
  const { signal } = new AbortController();
  const { exportFiles } = context;
  const original = { ...exportFiles };
  const statuses = async () =>
    Promise.all([first, second, third].map(async ({ request_id }) => (await exports.find(request_id)).status));
  now = start + 8 * days;
  try {
    Object.assign(exportFiles, {
      delete: async (key: string) =>
        key.includes(first.request_id) || key.includes(second.request_id)
          ? Promise.reject(new Error('the store refuses'))
          : original.delete(key),
    });
    await deleteExpiredFiles(context, signal);
    expect(await statuses()).toEqual(['completed', 'completed', 'expired']);
  } finally {
    Object.assign(exportFiles, original);
  }
  await deleteExpiredFiles(context, signal);
  expect(await statuses()).toEqual(['expired', 'expired', 'expired']);
  now = start;
});
