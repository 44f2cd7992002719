import { Transform } from 'node:stream';
import { bodyLimits } from '@roster/contract';
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { callBack, holdSlot, type RequestOwner } from '../connection/request-slot.ts';
import { contentEncodingOf } from './content-encoding.ts';

/** Uncompressed bodies up to this size need no slot. A thousand contacts have less than half. */
export const largeBody = 1024 * 1024;

/**
 * Compressed bodies of up to this many bytes need no slot either. They have at most
 * {@link largeBody} bytes after decompression, because deflate writes at most 258 bytes for every
 * two bits.
 */
export const largeCompressedBody = Math.floor(largeBody / (258 * 4));

/**
 * Makes the gate for the large bodies of a process. A body of 16 MiB takes at least six times as
 * much memory until its request has ended.
 *
 * `total` bodies may be handled at the same time, and at most half of them for one owner.
 */
export function createBodyGate(total: number): FairGate<RequestOwner> {
  // Waiting requests need little memory: their bodies are still with the clients.
  return createFairGate({ total, perKey: Math.ceil(total / 2), waitingPerKey: 100, timeout: 15_000 });
}

/**
 * Limits the large bodies of a scope, including compressed bodies that may be large. A large body
 * is read only when the gate has a free slot. If that takes too long, the caller must try again
 * later. Call it after the rate limit of the scope, and before its routes.
 */
export function limitLargeBodies(scope: FastifyInstance, gate: FairGate<RequestOwner>): void {
  const hold: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
    // A compressed body can become a thousand times larger. Chunked bodies have no known length.
    const isCompressed = contentEncodingOf(request.headers) === 'gzip';
    const takeSlot = () => holdSlot(gate, request, reply, 'too_many_large_bodies');
    if (transfer !== undefined && !isCompressed) {
      const large = pauseWhenLarge(takeSlot);
      // Pass errors on by hand: `pipe` does not, and the request itself must stay open.
      payload.once('error', (error) => large.destroy(error));
      // If the body is not read (its type is not supported), nothing else listens. An error without
      // a listener ends the process.
      large.on('error', () => undefined);
      done(null, payload.pipe(large));
    } else if (transfer !== undefined || isWithin(Number(length), isCompressed, request)) {
      void callBack(takeSlot(), (error) => done(error, payload));
    } else done(null, payload);
  };
  // Added to each route, like the rate limit. Hooks of the scope would run before the rate limit.
  scope.addHook('onRoute', (route) => {
    // Files are streamed to their store and need little memory.
    if (route.config?.arrivesSlowly === true) return;
    route.preParsing = [route.preParsing ?? [], hold].flat();
  });
}

/** True for a body that is large and within its limit. A body above its limit is refused anyway. */
function isWithin(length: number, isCompressed: boolean, { routeOptions }: FastifyRequest): boolean {
  const minLength = isCompressed ? largeCompressedBody : largeBody;
  return length > minLength && length <= (routeOptions.config.body?.limits ?? bodyLimits.small).bytes;
}

/** Passes on a body of unknown length, and waits for a slot once the body turns out to be large. */
function pauseWhenLarge(takeSlot: () => Promise<void>): Transform {
  let length = 0;
  let slot: Promise<void> | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= largeBody) return done(null, chunk);
      slot ??= takeSlot();
      void callBack(slot, (error) => done(error, chunk));
    },
  });
}
