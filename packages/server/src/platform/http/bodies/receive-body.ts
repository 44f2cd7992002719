import type { Readable } from 'node:stream';
import type { BodyLimits } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { JsonCounter, type Excess } from '../json/json-counter.ts';

/** A body that has arrived within its limits. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Values of its JSON; 0 for a compressed body. */
  readonly values: number;
}

/** How a body is received. */
export interface ReceiveOptions {
  readonly limits: BodyLimits;
  /** What the bytes are: JSON, JSON in lines, or something that shows its values only when it is unpacked. */
  readonly content: 'json' | 'lines' | 'compressed';
}

/**
 * Receives a body, and counts it while it arrives: a body that exceeds a limit is refused before the rest of it arrives.
 *
 * Throws `body_too_large`, `body_too_complex`, `body_too_deep`, or `invalid_json` when its length is not the `Content-Length`.
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
      else stop(excess === 'bytes' ? tooLarge(limits) : refusalOf(excess, limits));
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
      // Always a copy, in memory of its own: what arrives is a view on what the socket read, and another thread can take it over.
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

/** The error for a body that exceeds a limit which its content shows. */
export function refusalOf(excess: Excess, { values, keys, depth }: BodyLimits): ApiError {
  switch (excess) {
    case 'depth':
      return new ApiError('body_too_deep', { params: { limit: depth } });
    case 'keys':
      return new ApiError('body_too_complex', { params: { limit: `${keys.toLocaleString('en')} different keys` } });
    case 'values':
      return new ApiError('body_too_complex', { params: { limit: `${values.toLocaleString('en')} values` } });
    default:
      throw new Error(`no such limit: ${String(excess satisfies never)}`);
  }
}

/** The error for a body with too many bytes. */
export function tooLarge({ bytes }: Pick<BodyLimits, 'bytes'>): ApiError {
  return new ApiError('body_too_large', { params: { limit: sizeText(bytes) } });
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`;
}
