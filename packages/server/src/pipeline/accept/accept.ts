import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { isPartitionViolation } from '#platform/database/connection/partition-violation.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { requestsInFlight } from '#platform/http/server/in-flight.ts';
import { waitForTurn } from '#platform/load/wait-for-turn.ts';
import { insertRequests, rememberIdempotencyKey, type FirstUse, type NewRequest } from './accept-store.ts';
import { createGroupWriter } from './group-writer.ts';
import { isWhole } from '../operations/operation.ts';
import { encodePayload, type EncodedPayload, type Operation, type Payloads } from '../operations/payload.ts';

/** A request to be stored for the pipeline. */
export interface Acceptance<O extends Operation = Operation> {
  readonly accountId: number;
  readonly requestId: string;
  readonly operation: O;
  readonly payload: Payloads[O] | EncodedPayload;
  /** Number of items in the payload. */
  readonly total: number;
  /** The caller's `Idempotency-Key`, and the hash of the body that it came with. */
  readonly idempotency: Idempotency | undefined;
}

/** A request that is stored in one transaction with something else. */
export type NewAcceptance = {
  [O in Operation]: Omit<Acceptance<O>, 'idempotency' | 'payload'> & { readonly payload: Payloads[O] };
}[Operation];

/** An `Idempotency-Key` and the SHA-256 of the body that it came with (`bodyHash`). */
export interface Idempotency {
  readonly key: string;
  readonly bodyHash: Uint8Array;
}

declare module '#platform/http/server/service.ts' {
  interface Service {
    /** Stores requests for the pipeline. */
    readonly acceptor: Acceptor;
  }
}

/** Stores requests; each promise resolves when its request is durable. */
export interface Acceptor {
  /**
   * Stores a request and answers its identifier; for a repeat with the same idempotency key, that of the first.
   * Throws `idempotency_conflict` when the key was used with another body within 24 hours.
   */
  accept<O extends Operation>(acceptance: Acceptance<O>): Promise<string>;
  /**
   * Stores a request in one transaction with what `work` writes: both are there, or neither. What `work` throws is thrown.
   */
  acceptWith<O extends Operation>(
    acceptance: Omit<Acceptance<O>, 'idempotency'>,
    work: (trx: Database) => Promise<void>,
  ): Promise<void>;
  /** Resolves when everything that was given to {@link accept} is stored or refused. */
  drain(): Promise<void>;
}

// Two statements of an account overlap, so that a body of a thousand contacts does not delay single ones. More would only share the same
// disk. A third one is kept free for the other accounts.
const writes = { concurrent: 3, perOwner: 2 };

/** Makes the acceptor of an API process. */
export function createAcceptor(context: Context): Acceptor {
  const keyed = createKeyedGate(context.config);
  const writer = createGroupWriter<NewRequest, void>({
    ...writes,
    ownerOf: ({ accountId }) => accountId,
    sizeOf: ({ payload }) => payload.length,
    async write(requests) {
      await despiteNewPartition(() => insertRequests(context.db, requests));
      return requests.map(() => undefined);
    },
  });

  return {
    async accept({ idempotency, ...acceptance }) {
      const request = await encodeRequest(context, acceptance);
      const { requestId } = request;
      if (idempotency !== undefined) {
        // A transaction of its own: a repeat has to wait for the first to commit, and must not make others wait.
        const leave = await waitForTurn(keyed, request.accountId, 'too_many_requests_in_flight');
        try {
          return await despiteNewPartition(() =>
            context.db.transaction().execute(async (trx) => {
              const first = await rememberIdempotencyKey(trx, request, idempotency);
              if (first !== undefined) return requireSameBody(first);
              await insertRequests(trx, [request]);
              return requestId;
            }),
          );
        } finally {
          leave();
        }
      }
      await writer.add(request);
      return requestId;
    },
    acceptWith: (acceptance, work) => acceptWith(context, [acceptance], work),
    drain: () => writer.drain(),
  };
}

/**
 * The gate of requests with an idempotency key. Each has a connection of its own, and a repeat keeps it until the first is committed: one
 * account must not get all connections.
 */
function createKeyedGate({ databasePoolSize }: Pick<Context['config'], 'databasePoolSize'>): FairGate<number> {
  const total = Math.max(2, Math.floor(databasePoolSize / 4));
  return createFairGate({
    total,
    perKey: Math.ceil(total / 2),
    waitingPerKey: requestsInFlight.perAccount,
    patience: 5_000,
  });
}

/** Encodes the rows of a request that is accepted now. */
export async function encodeRequest(
  { features, now }: Pick<Context, 'features' | 'now'>,
  { accountId, requestId, operation, payload, total }: Omit<Acceptance, 'idempotency'>,
): Promise<NewRequest> {
  const acceptedAt = now();
  const encoded = await encodePayload(payload);
  return { accountId, requestId, operation, ...encoded, total, isWhole: isWhole(features, operation), acceptedAt };
}

/**
 * Stores requests, in their order, in one transaction with what `work` writes: all of it is there, or nothing. What `work` throws is thrown.
 */
export async function acceptWith(
  context: Pick<Context, 'db' | 'features' | 'now'>,
  acceptances: readonly Omit<Acceptance, 'idempotency'>[],
  work: (trx: Database) => Promise<void>,
): Promise<void> {
  const requests = await Promise.all(acceptances.map((acceptance) => encodeRequest(context, acceptance)));
  await storeWith(context, requests, work);
}

/** {@link acceptWith} for requests that are encoded already. */
export async function storeWith(
  context: Pick<Context, 'db'>,
  requests: readonly NewRequest[],
  work: (trx: Database) => Promise<void>,
): Promise<void> {
  await despiteNewPartition(() =>
    context.db.transaction().execute(async (trx) => {
      await work(trx);
      if (requests.length > 0) await insertRequests(trx, requests);
    }),
  );
}

/**
 * Writes requests, a second time when the partition of their day was made in the middle: PostgreSQL had chosen the default partition by
 * then, and refuses the rows there once another one is meant for them.
 */
export async function despiteNewPartition<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isPartitionViolation(error)) throw error;
    return write();
  }
}

/** The identifier of the request that used an idempotency key first; throws `idempotency_conflict` when it had another body. */
export function requireSameBody(first: FirstUse): string {
  if (!first.sameBody) throw new ApiError('idempotency_conflict');
  return first.requestId;
}
