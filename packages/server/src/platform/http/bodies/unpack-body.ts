import { createGunzip } from 'node:zlib';
import type { BodyLimits } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';
import { JsonCounter } from '../json/json-counter.ts';
import { refusalOf, tooLarge } from './receive-body.ts';

/**
 * Unpacks a body that is compressed with gzip, and counts it meanwhile: a body that exceeds a limit is not unpacked to its end.
 *
 * Throws `body_too_large`, `body_too_complex`, `body_too_deep`, or `invalid_json` when it is not gzip.
 */
export async function unpackBody(packed: Buffer, limits: BodyLimits, isLines: boolean): Promise<Buffer> {
  const counter = new JsonCounter(limits, isLines);
  const gunzip = createGunzip();
  const chunks: Buffer[] = [];
  let length = 0;
  gunzip.end(packed);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limits.bytes) throw tooLarge(limits);
      const excess = counter.add(chunk);
      if (excess !== undefined) throw refusalOf(excess, limits);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const reason = 'Content-Encoding says gzip, but the body is not gzip or ends too early';
    throw new ApiError('invalid_json', { params: { reason }, cause });
  }
  return Buffer.concat(chunks, length);
}
