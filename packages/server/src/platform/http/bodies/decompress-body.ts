import type { BodyLimits } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';
import { gunzipped, InvalidGzip } from '#platform/files/gzip.ts';
import { JsonCounter } from '../json/json-counter.ts';
import { limitError, tooLarge } from './receive-body.ts';

/**
 * Decompresses a body with gzip. Stops at the first limit that the body exceeds.
 *
 * Throws `body_too_large`, `body_too_complex` or `body_too_deep`, and `invalid_json` when the body
 * is not gzip.
 */
export async function decompressBody(compressed: Buffer, limits: BodyLimits, isLines: boolean): Promise<Buffer> {
  const counter = new JsonCounter(limits, isLines);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of gunzipped([compressed])) {
      length += chunk.length;
      if (length > limits.bytes) throw tooLarge(limits);
      const excess = counter.add(chunk);
      if (excess !== undefined) throw limitError(excess, limits);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (!(cause instanceof InvalidGzip)) throw cause;
    const reason = 'Content-Encoding says gzip, but the body is not gzip or ends too early';
    throw new ApiError('invalid_json', { params: { reason }, cause });
  }
  return Buffer.concat(chunks, length);
}
