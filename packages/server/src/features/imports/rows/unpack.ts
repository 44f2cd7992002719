import { gunzipped, InvalidGzip } from '#platform/files/gzip.ts';
import { ImportFailure } from '../store/import-failure.ts';

/** Decompresses a file of an import. Throws `file_damaged` when it is not gzip data, and what the source throws. */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* gunzipped(source);
  } catch (cause) {
    throw cause instanceof InvalidGzip ? new ImportFailure('file_damaged', undefined, { cause }) : cause;
  }
}
