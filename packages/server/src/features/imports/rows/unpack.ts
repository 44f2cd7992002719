import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportFailure } from '../store/import-failure.ts';

/** The first bytes of gzip data. */
export const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Unpacks gzip data; throws `file_damaged` where it is none. What cannot be read for another reason fails as it does. */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const input = Readable.from(source, { objectMode: false });
  let broken: unknown;
  input.once('error', (error) => {
    broken = error;
    gunzip.destroy(error);
  });
  input.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (cause) {
    if (broken !== undefined || !isZlibError(cause)) throw cause;
    throw new ImportFailure('file_damaged', undefined, { cause });
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}
