import type { Readable } from 'node:stream';
import type { BodyLimits } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { JsonCounter, type Excess } from '../json/json-counter.ts';

/** A received body that is within its limits. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Number of values in its JSON; 0 for a compressed body. */
  readonly values: number;
}

/** The options of {@link receiveBody}. */
export interface ReceiveOptions {
  readonly limits: BodyLimits;
  /** The format of the bytes. Values can only be counted in JSON that is not compressed. */
  readonly content: 'json' | 'lines' | 'compressed';
}

/**
 * Receives a body. A body that exceeds a limit is refused before the rest of it arrives.
 *
 * Throws `body_too_large`, `body_too_complex` or `body_too_deep`, and `invalid_json` when the
 * length is not the `Content-Length`.
 */
export async function receiveBody(
  { headers }: Pick<FastifyRequest, 'headers'>,
  payload: Readable,
  { limits, content }: ReceiveOptions,
): Promise<ReceivedBody> {
  const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if ((announced ?? 0) > limits.bytes) throw tooLarge(limits);
  const counter = content === 'compressed' ? undefined : new JsonCounter(limits, content === 'lines');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (data: Buffer | string): void => {
      const chunk = typeof data === 'string' ? Buffer.from(data) : data;
      length += chunk.length;
      const excess = length > limits.bytes ? 'bytes' : counter?.add(chunk);
      if (excess === undefined) chunks.push(chunk);
      else stop(excess === 'bytes' ? tooLarge(limits) : limitError(excess, limits));
    };
    const onEnd = (): void => {
      if (announced !== undefined && length !== announced) {
        return stop(new ApiError('invalid_json', { params: { reason: 'its length differs from the Content-Length' } }));
      }
      stop();
    };
    function stop(error?: Error): void {
      payload.off('data', onData);
      payload.off('end', onEnd);
      payload.off('error', stop);
      if (error !== undefined) return reject(error);
      // Always copies: chunks are views of shared memory, but this buffer may move to a thread.
      const bytes = Buffer.allocUnsafeSlow(length);
      let at = 0;
      for (const chunk of chunks) at += chunk.copy(bytes, at);
      resolve({ bytes, values: counter?.values ?? 0 });
    }
    payload.on('data', onData);
    payload.on('end', onEnd);
    payload.on('error', stop);
  });
}

/** Makes the error for a body whose content exceeds a limit. */
export function limitError(excess: Excess, { values, keys, depth }: BodyLimits): ApiError {
  switch (excess) {
    case 'depth':
      return new ApiError('body_too_deep', { params: { limit: depth } });
    case 'keys':
      return new ApiError('body_too_complex', { params: { limit: `${keys.toLocaleString('en')} different keys` } });
    case 'values':
      return new ApiError('body_too_complex', { params: { limit: `${values.toLocaleString('en')} values` } });
    default:
      throw new Error(`unknown limit: ${String(excess satisfies never)}`);
  }
}

/** Makes the error for a body with too many bytes. */
export function tooLarge({ bytes }: Pick<BodyLimits, 'bytes'>): ApiError {
  return new ApiError('body_too_large', { params: { limit: sizeText(bytes) } });
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;
}
