import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../../embedded-postgres/test/support.ts';
import { localFileStore } from './local-file-store.ts';

const onBegin = (): Promise<void> => Promise.resolve();

test('a write that fails at once leaves nothing', async () => {
  await using directory = await temporaryDirectory();
  const store = localFileStore(directory.path);
  const writes = Array.from({ length: 5000 }, async (_, index) =>
    store.write(`f${index}`, {
      contentType: 'text/csv',
      onBegin,
      async fill() {
        throw new Error('no content');
      },
    }),
  );
  for (const written of await Promise.allSettled(writes))
    expect(written).toMatchObject({ status: 'rejected', reason: { message: 'no content' } });
  expect(await readdir(directory.path)).toEqual([]);
});

test('a write fails with the error of its cleanup, so that its caller keeps the name of the rest', async () => {
  await using directory = await temporaryDirectory();
  const store = localFileStore(directory.path);
  const unfinished = path.join(directory.path, 'file.part');
  const written = store.write('file', {
    contentType: 'text/csv',
    onBegin,
    async fill(sink) {
      await new Promise((resolve) => sink.once('open', resolve));
      await rm(unfinished);
      // The store cannot delete a directory.
      await mkdir(unfinished);
      throw new Error('no content');
    },
  });
  await expect(written).rejects.toMatchObject({ code: 'ERR_FS_EISDIR' });
});

/** The error of a disk whose last bytes are kept free. */
const noRoom = Object.assign(new Error('the last MB of the disk are for the database'), { code: 'ENOSPC' });

test('a file is not begun when the disk has too little room, and leaves nothing', async () => {
  await using directory = await temporaryDirectory();
  const asked: string[] = [];
  const store = localFileStore(directory.path, async (place) => {
    asked.push(place);
    throw noRoom;
  });
  const written = store.write('file', { contentType: 'text/csv', onBegin, fill: async () => undefined });
  await expect(written).rejects.toBe(noRoom);
  expect(asked).toEqual([directory.path]);
  expect(await readdir(directory.path)).toEqual([]);
});

test('a file ends when the room gets too small while it is written, and leaves nothing', async () => {
  await using directory = await temporaryDirectory();
  let hasRoom = true;
  const store = localFileStore(directory.path, async () => {
    if (!hasRoom) throw noRoom;
  });
  const written = store.write('file', {
    contentType: 'text/csv',
    onBegin,
    async fill(sink) {
      await pipeline(async function* () {
        yield Buffer.alloc(1024);
        hasRoom = false;
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          yield Buffer.alloc(1);
        }
      }, sink);
    },
  });
  await expect(written).rejects.toBe(noRoom);
  expect(await readdir(directory.path)).toEqual([]);
});
