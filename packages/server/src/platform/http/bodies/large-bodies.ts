import { Transform } from 'node:stream';
import { bodyLimits } from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';
import { departureOf } from '../connection/client-disconnect.ts';
import { contentEncodingOf } from './content-encoding.ts';

/** Bodies of up to this many bytes that are not packed are always read: a thousand contacts have less than half of it. */
export const largeBody = 1024 * 1024;

/**
 * Packed bodies of up to this many bytes are always read, too: they cannot unpack to more than {@link largeBody}. Deflate writes at most 258 bytes
 * for every two bits that it reads.
 */
export const largePackedBody = Math.floor(largeBody / (258 * 4));

/** Whose bodies share places: an account, or the operators. */
export type BodyOwner = number | 'operators';

/**
 * Makes the gate of the large bodies of a process: one of 16 MiB takes six times as much memory and more until its request is answered.
 *
 * `total` is how many may be worked on at the same time; one owner has half of them at most.
 */
export function createBodyGate(total: number): FairGate<BodyOwner> {
  // Those who wait take next to no memory: their bodies stay with their clients.
  return createFairGate({ total, perKey: Math.ceil(total / 2), waitingPerKey: 100, patience: 15_000 });
}

/**
 * Lets large bodies of a scope, and packed ones that may be large, be read only while there is a place in the gate; others wait, and are told to
 * come again when that takes too long. Call it after the rate limit of the scope, and before its routes.
 */
export function limitLargeBodies(scope: FastifyInstance, gate: FairGate<BodyOwner>): void {
  const hold: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
    // How long a packed body really is, nobody knows before it is unpacked: 16 KiB can be 16 MiB. Nor how long one is that does not say it.
    const isPacked = contentEncodingOf(request.headers) === 'gzip';
    if (transfer !== undefined && !isPacked) {
      const large = heldBack(() => takePlace(gate, request, reply));
      // The request is not destroyed with the stream behind it: it is still to be answered.
      payload.once('error', (error) => large.destroy(error));
      // A body that is not read (its type is not supported) has no other listener, and an error without one ends the process.
      large.on('error', () => undefined);
      done(null, payload.pipe(large));
    } else if (transfer !== undefined || isWithin(Number(length), isPacked ? largePackedBody : largeBody, request)) {
      void callBack(takePlace(gate, request, reply), (error) => done(error, payload));
    } else done(null, payload);
  };
  // On the routes, where the rate limit is: hooks of the scope come before it.
  scope.addHook('onRoute', (route) => {
    // Files are streamed to their store, and take no memory to speak of.
    if (route.config?.arrivesSlowly === true) return;
    route.preParsing = [route.preParsing ?? [], hold].flat();
  });
}

/** Whether a body has more bytes than these, and no more than it may have: one that is refused anyway needs no place. */
function isWithin(length: number, least: number, { routeOptions }: FastifyRequest): boolean {
  return length > least && length <= (routeOptions.config.body?.limits ?? bodyLimits.small).bytes;
}

/** Keeps a place until the request is answered or its client is gone. */
async function takePlace(gate: FairGate<BodyOwner>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const owner = request.credential?.accountId ?? 'operators';
  const leave = await waitForTurn(gate, owner, 'too_many_large_bodies', departureOf(reply.raw));
  if (reply.raw.closed) leave();
  else reply.raw.once('close', leave);
}

/** A body whose length nobody has told: it is held back once it turns out to be a large one. */
function heldBack(takePlace: () => Promise<void>): Transform {
  let length = 0;
  let place: Promise<void> | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= largeBody) return done(null, chunk);
      place ??= takePlace();
      void callBack(place, (error) => done(error, chunk));
    },
  });
}

/** Streams and this kind of hook know callbacks only. */
async function callBack(place: Promise<void>, done: (error: Error | null) => void): Promise<void> {
  const failure = await place.then(
    () => null,
    (error: Error) => error,
  );
  done(failure);
}
