import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { isDiskFull } from '#platform/files/storage-fault.ts';
import { mountSmallDisk, smallDiskObstacle } from '../crash/small-disk.ts';
import { testAdminToken } from '../support/context.ts';
import { type ExportService, listExport, startExportService } from './export-service.ts';

describe('faults of the directory of files', () => {
  let exports: ExportService;
  let url: string;
  beforeAll(async () => {
    exports = await startExportService();
    await exports.account.createContacts([{ identity: 'a@example.com', audience_details: [{ audience_id: 1 }] }]);
    url = (await exports.ended(await exports.accepted(listExport(1)))).file_url!;
  });
  afterAll(async () => {
    await exports[Symbol.asyncDispose]();
  });

  async function sendImport(): Promise<{ status: number; body: { error?: { code: string } }; headers: object }> {
    const { body } = await exports.account.operator('POST', '/imports', {});
    const { accountId } = exports.account;
    const answer = await exports.service.app.inject({
      method: 'PUT',
      url: `/admin/v1/accounts/${accountId}/imports/${body.import_id}/file`,
      headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' },
      payload: 'EMAIL\r\nb@example.com\r\n',
    });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  }

  test('a download from a missing directory returns 503', async () => {
    await rename(exports.directory, `${exports.directory}.away`);
    try {
      const answer = await exports.download(url);
      expect(answer.status).toBe(503);
      expect(answer.headers).toHaveProperty('retry-after');
      expect(answer.body.toString()).toContain('The file store cannot be used');
    } finally {
      await rename(`${exports.directory}.away`, exports.directory);
    }
    expect((await exports.download(url)).status).toBe(200);
  });

  test('an upload and a download return 503 when the directory cannot be used', async () => {
    await rename(exports.directory, `${exports.directory}.away`);
    await writeFile(exports.directory, 'a file in its place');
    try {
      for (const answer of [await exports.download(url), await sendImport()]) {
        expect(answer).toMatchObject({ status: 503 });
      }
    } finally {
      await rm(exports.directory);
      await rename(`${exports.directory}.away`, exports.directory);
    }
    expect(await sendImport()).toMatchObject({ status: 200 });
  });
});

/** A store whose operations fail or hang as a test says. */
function storeWith(parts: Partial<FileStore>): FileStore {
  return guardedFileStore(
    {
      write: () => Promise.reject(new Error('not expected')),
      read: () => Promise.reject(new Error('not expected')),
      list: () => Promise.reject(new Error('not expected')),
      delete: () => Promise.reject(new Error('not expected')),
      discard: () => Promise.reject(new Error('not expected')),
      [Symbol.asyncDispose]: async () => undefined,
      ...parts,
    },
    50,
  );
}
const never = (): Promise<never> => new Promise(() => undefined);

describe('a guarded store', () => {
  test.each([
    ['ECONNREFUSED', 'connect ECONNREFUSED'],
    ['EACCES', 'permission denied'],
    ['08006', 'Connection terminated'],
  ])('the error %s of the store becomes a StorageFault', async (code, message) => {
    const cause = Object.assign(new Error(message), { code });
    const fail = () => Promise.reject(cause);
    const store = storeWith({ read: fail, delete: fail, discard: fail, write: fail });
    const options = { contentType: 'text/csv', fill: async () => undefined, onBegin: async () => undefined };
    for (const task of [store.read('a'), store.delete('a'), store.discard('a'), store.write('a', options)]) {
      await expect(task).rejects.toMatchObject({ name: 'StorageFault', cause });
    }
  });

  test('reads and deletes of a store that does not respond end with a StorageFault', async () => {
    const content = new PassThrough();
    const store = storeWith({ read: async () => content, delete: never, discard: never });
    for (const task of [store.read('a'), store.delete('a'), store.discard('a'), storeWith({ read: never }).read('a')]) {
      await expect(task).rejects.toMatchObject({
        name: 'StorageFault',
        message: expect.stringContaining('no response'),
      });
    }
    expect(content.destroyed).toBe(true);
  });

  test('whole files are delivered, even empty ones, and a slow reader gets all the time that it needs', async () => {
    const store = storeWith({ read: async (key) => Readable.from(key === 'empty' ? [] : ['first ', 'last']) });
    expect(await text((await store.read('empty'))!)).toBe('');
    const reading = (await store.read('slow'))!;
    // This is longer than the guard waits for the store.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await text(reading)).toBe('first last');
  });

  test('reading a file that stalls in the middle ends with a StorageFault', async () => {
    const content = new PassThrough();
    content.write('first ');
    const reading = (await storeWith({ read: async () => content }).read('a'))!;
    await expect(text(reading)).rejects.toMatchObject({
      name: 'StorageFault',
      message: expect.stringContaining('no response'),
    });
    expect(content.destroyed).toBe(true);
  });

  test('errors of the content are passed on, and errors of the store become a StorageFault', async () => {
    const sinkOf = (sink: Writable): FileStore =>
      storeWith({
        async write(_key, { fill }) {
          await fill(sink);
          return 1;
        },
      });
    const options = (chunks: AsyncIterable<Buffer> | Iterable<Buffer>) => ({
      contentType: 'text/csv',
      onBegin: async () => undefined,
      fill: (sink: Writable) => pipeline(Readable.from(chunks), sink),
    });
    // oxlint-disable-next-line eslint/require-yield
    async function* broken(): AsyncGenerator<Buffer> {
      throw new Error('the rows ended');
    }
    const good = new Writable({ write: (_chunk, _encoding, done) => done() });
    await expect(sinkOf(good).write('a', options(broken()))).rejects.toMatchObject({
      name: 'Error',
      message: 'the rows ended',
    });
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const small = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    await expect(sinkOf(small).write('a', options([Buffer.from('x')]))).rejects.toMatchObject({
      name: 'StorageFault',
      cause: full,
    });

    const interrupted = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const content = new PassThrough();
    content.write('first ');
    const reading = (await storeWith({ read: async () => content }).read('a'))!;
    content.destroy(interrupted);
    await expect(text(reading)).rejects.toMatchObject({ name: 'StorageFault', cause: interrupted });
  });
});

describe('faults of S3', () => {
  test.each([
    { what: 'refuses', status: 403 },
    { what: 'hangs', status: undefined },
  ])('reading and deleting a file end with a StorageFault when the S3 server $what', async ({ status }) => {
    const server = createServer((_request, response) => {
      if (status !== undefined) response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    const own = openFileStore(
      readConfig({ ROSTER_EXPORT_STORE: 's3://bucket/', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }),
    );
    await using store = guardedFileStore(own, 1000);
    try {
      await expect(store.read('1/a.csv')).rejects.toMatchObject({ name: 'StorageFault' });
      await expect(store.delete('1/a.csv')).rejects.toMatchObject({ name: 'StorageFault' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

test.skipIf(smallDiskObstacle() !== undefined)('files leave the last 5 % of a disk to the database', async (ctx) => {
  using disk = await mountSmallDisk();
  if (disk === undefined) return ctx.skip('the system does not allow to mount a file system');
  const directory = path.join(disk.path, 'exports');
  await mkdir(directory);
  await using store = guardedFileStore(openFileStore(readConfig({ ROSTER_DATA_DIR: disk.path })));
  const write = (key: string) =>
    store.write(key, {
      contentType: 'text/csv',
      onBegin: async () => undefined,
      fill: (sink) => pipeline(Readable.from(['a\r\n']), sink),
    });
  expect(await write('before')).toBe(3);
  const { bsize, blocks, bavail } = await statfs(disk.path);
  await writeFile(path.join(disk.path, 'data'), Buffer.alloc(bsize * Math.ceil(bavail - blocks / 25)));
  const error: unknown = await write('after').catch((reason: unknown) => reason);
  expect(isDiskFull(error)).toBe(true);
  expect(error).toMatchObject({ message: expect.stringContaining('of the disk are for the database') });
  expect(await readdir(directory)).toEqual(['before']);
  await rm(path.join(disk.path, 'data'));
  expect(await write('after')).toBe(3);
});
