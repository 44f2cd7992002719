import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { departureOf } from '../connection/client-disconnect.ts';
import { createFairGate, type FairGate, type Leave } from '#platform/load/fair-gate.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation stores requests for the pipeline, so that its requests count as in flight; see {@link limitRequestsInFlight}. */
    storesRequests?: boolean;
  }
}

/** How many requests that are to be stored an API process works on at the same time. */
export const requestsInFlight = {
  total: 256,
  /** As many as fill the commits of a fast disk. More would only make the event loop slower for the other accounts. */
  perAccount: 32,
  /** Requests of an account that wait for a place. Each costs a connection and no more, because its body is not read yet. */
  waitingPerAccount: 1000,
  /** Milliseconds that one waits at most. */
  patience: 5_000,
} as const;

/** Whose requests share places: an account, or the operators. */
export type RequestOwner = number | 'operators';

/** Makes the gate of the requests in flight of a process. */
export function createInFlightGate(): FairGate<RequestOwner> {
  const { total, perAccount, waitingPerAccount, patience } = requestsInFlight;
  return createFairGate({ total, perKey: perAccount, waitingPerKey: waitingPerAccount, patience });
}

/**
 * Gives each account of a scope a bounded share of the requests in flight. Further requests wait with their bodies unread; a request that
 * waits too long, or finds too many that wait, is refused with `too_many_requests_in_flight`.
 *
 * Call it after the rate limit of the scope, and before its routes.
 */
export function limitRequestsInFlight(scope: FastifyInstance, gate: FairGate<RequestOwner>): void {
  const hold: preParsingHookHandler = (request, reply, payload, done) => {
    const leave = gate.tryEnter(ownerOf(request));
    if (leave === undefined) void wait(gate, request, reply, (error) => done(error, payload));
    else {
      leaveAtEnd(reply, leave);
      done(null, payload);
    }
  };
  scope.addHook('onRoute', (route) => {
    if (route.config?.storesRequests === true) route.preParsing = [route.preParsing ?? [], hold].flat();
  });
}

/** Waits for a place and keeps it; gives `done` the error when there is none. */
async function wait(
  gate: FairGate<RequestOwner>,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error: Error | null) => void,
): Promise<void> {
  let failure: Error | null = null;
  try {
    const departure = departureOf(reply.raw);
    leaveAtEnd(reply, await waitForTurn(gate, ownerOf(request), 'too_many_requests_in_flight', departure));
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}

function ownerOf({ credential }: FastifyRequest): RequestOwner {
  return credential?.accountId ?? 'operators';
}

/** Leaves when the request is answered or its client is gone. */
function leaveAtEnd({ raw }: FastifyReply, leave: Leave): void {
  if (raw.closed) leave();
  else raw.once('close', leave);
}
