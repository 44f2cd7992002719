import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The first bytes of gzip data. */
export const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** The data is not gzip, or it ends too early. */
export class InvalidGzip extends Error {
  override readonly name = 'InvalidGzip';
}

/** Decompresses gzip data. Throws {@link InvalidGzip}, and what the source throws. */
export async function* gunzipped(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
    throw new InvalidGzip('the data is not gzip, or ends too early', { cause });
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}
