import type { FastifyInstance, preParsingHookHandler } from 'fastify';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { callBack, holdSlot, leaveAtEnd, ownerOf, type RequestOwner } from '../connection/request-slot.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation stores requests for the pipeline; see {@link limitRequestsInFlight}. */
    storesRequests?: boolean;
  }
}

/** How many requests for the pipeline an API process handles at the same time. */
export const requestsInFlight = {
  total: 256,
  /** Enough to fill the commits of a fast disk. More would only slow down other accounts. */
  perAccount: 32,
  /** Waiting requests of an account. Each costs only a connection: its body is not read yet. */
  waitingPerAccount: 1000,
  /** Maximum wait in milliseconds. */
  timeout: 5_000,
} as const;

/** Makes the gate for the requests in flight of a process. */
export function createInFlightGate(): FairGate<RequestOwner> {
  const { total, perAccount, waitingPerAccount, timeout } = requestsInFlight;
  return createFairGate({ total, perKey: perAccount, waitingPerKey: waitingPerAccount, timeout });
}

/**
 * Limits the requests in flight of a scope, for each account and in total. More requests wait with
 * unread bodies. A request that waits too long, or that finds too many waiting, gets
 * `too_many_requests_in_flight`.
 *
 * Call it after the rate limit of the scope, and before its routes.
 */
export function limitRequestsInFlight(scope: FastifyInstance, gate: FairGate<RequestOwner>): void {
  const hold: preParsingHookHandler = (request, reply, payload, done) => {
    const leave = gate.tryEnter(ownerOf(request));
    if (leave === undefined) {
      const slot = holdSlot(gate, request, reply, 'too_many_requests_in_flight');
      void callBack(slot, (error) => done(error, payload));
    } else {
      leaveAtEnd(reply, leave);
      done(null, payload);
    }
  };
  scope.addHook('onRoute', (route) => {
    if (route.config?.storesRequests === true) route.preParsing = [route.preParsing ?? [], hold].flat();
  });
}
