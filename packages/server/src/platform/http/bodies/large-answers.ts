import type { FastifyInstance } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { minute } from '#platform/time/intervals.ts';
import { ownerOf, type RequestOwner } from '../connection/request-slot.ts';

/** Bytes. Smaller answers need no limit: the system buffers about as much for each connection. */
const smallAnswer = 64 * 1024;

/** In seconds. */
const retryAfter = 5;

/** Options of {@link limitLargeAnswers}. */
export interface LargeAnswerLimits {
  /** Bytes of the answers of a process that clients have not received yet. */
  readonly bytes: number;
  /**
   * Milliseconds in which a client must receive an answer; default two minutes. That is the time in
   * which it must send a body.
   */
  readonly timeout?: number;
}

/**
 * Limits the memory of answers whose clients read slowly, or not at all. An answer stays in memory
 * until the client has received it. An answer of more than 64 KiB gets 503 `overloaded` instead, if
 * its account would have more than half of the bytes, or all accounts together would have more. One
 * answer of each account always fits.
 *
 * Streams have no limit here: they are read from their source as fast as the client reads. Call it
 * before the compression, so that it sees the whole answer.
 */
export function limitLargeAnswers(app: FastifyInstance, { bytes, timeout = 2 * minute }: LargeAnswerLimits): void {
  const unsent = new Map<RequestOwner, number>();
  let total = 0;

  function count(owner: RequestOwner, size: number): void {
    const own = (unsent.get(owner) ?? 0) + size;
    if (own === 0) unsent.delete(owner);
    else unsent.set(owner, own);
    total += size;
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = reply;
    const size = typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
    if (size <= smallAnswer || raw.closed) return done(null, payload);
    const owner = request.actor === null && request.credential === null ? request.ip : ownerOf(request);
    const own = unsent.get(owner) ?? 0;
    if (own > 0 && (own + size > bytes / 2 || total + size > bytes)) {
      const headers = { 'retry-after': String(retryAfter) };
      return done(new ApiError('overloaded', { params: { seconds: retryAfter }, headers }));
    }
    count(owner, size);
    const timer = setTimeout(() => raw.destroy(), timeout).unref();
    raw.once('close', () => {
      clearTimeout(timer);
      count(owner, -size);
    });
    done(null, payload);
  });
}
