import { CompiledQuery } from 'kysely';
import type { Config } from '#platform/config/config.ts';
import type { Context } from '#platform/context.ts';
import { isPartitionViolation, type Database } from '#platform/database/connection/database.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { commitInTwoPhases } from '#platform/database/layout/needs-coordinator.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { turnLimits } from '#platform/load/database-turns.ts';
import { createFairGate, type FairGate } from '#platform/load/fair-gate.ts';
import { requestsInFlight } from '#platform/http/server/in-flight.ts';
import { enterGate } from '#platform/load/enter-gate.ts';
import {
  insertGroup,
  insertRequests,
  claimIdempotencyKey,
  reservePositions,
  type FirstUse,
  type NewRequest,
} from './accept-store.ts';
import { createGroupWriter, type GroupWriter } from './group-writer.ts';
import { isWhole, splitOf } from '../operations/operation.ts';
import { encodePayload, type EncodedPayload, type PipelineOperation, type Payloads } from '../operations/payload.ts';

/** A request for the pipeline to store. */
export interface Acceptance<O extends PipelineOperation = PipelineOperation> {
  readonly accountId: number;
  readonly requestId: string;
  readonly operation: O;
  readonly payload: Payloads[O] | EncodedPayload;
  /** Number of items in the payload. */
  readonly total: number;
  /** The idempotency key of the caller, if there is one. */
  readonly idempotency: Idempotency | undefined;
  /**
   * The primary key of an account with several buckets: the request is split by the contacts that
   * it names. Undefined for other accounts.
   */
  readonly splitBy?: string | undefined;
}

/** A request that is stored together with other changes, in one transaction. */
export type NewAcceptance = {
  [O in PipelineOperation]: Omit<Acceptance<O>, 'idempotency' | 'payload'> & { readonly payload: Payloads[O] };
}[PipelineOperation];

/** An `Idempotency-Key` and the SHA-256 of its body ({@link bodyHash}). */
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

/** Stores requests. Each promise resolves when its request is durable. */
export interface Acceptor {
  /**
   * Stores a request and returns its identifier. A repeat with the same idempotency key gets the
   * identifier of the first request. Throws `idempotency_conflict` when the key was used with
   * another body within 24 hours.
   */
  accept<O extends PipelineOperation>(acceptance: Acceptance<O>): Promise<string>;
  /** Stores a request and does `work` in one transaction. Throws what `work` throws. */
  acceptWith<O extends PipelineOperation>(
    acceptance: Omit<Acceptance<O>, 'idempotency'>,
    work: (trx: Database) => Promise<void>,
  ): Promise<void>;
  /** Resolves when all requests given to {@link accept} are stored or refused. */
  drain(): Promise<void>;
}

// Up to three statements run at the same time. More would only compete for the same disk. Two of
// them may be of one account, so that a thousand contacts do not delay single contacts.
const writes = { concurrent: 3, perOwner: 2 };

/** How requests are stored on one server. */
interface ServerWriter {
  /** For requests with an idempotency key. */
  readonly gate: FairGate<number>;
  /** For requests without one. */
  readonly groups: GroupWriter<NewRequest, StoreFailure | undefined>;
}

/**
 * Makes the acceptor of an API process. Each node of a cluster has writers of its own, so that
 * requests for a node that hangs do not delay others.
 */
export function createAcceptor(context: Context): Acceptor {
  const writers = new Map<string, ServerWriter>();

  function writerOf({ name }: AccountServer): ServerWriter {
    let writer = writers.get(name);
    if (writer === undefined) {
      const groups = createGroupWriter<NewRequest, StoreFailure | undefined>({
        ...writes,
        ownerOf: ({ accountId }) => accountId,
        sizeOf: ({ payload }) => payload.length,
        write: (requests) => storeGroup(context, requests),
      });
      writers.set(name, (writer = { gate: createIdempotentGate(context.config), groups }));
    }
    return writer;
  }

  return {
    async accept({ idempotency, ...acceptance }) {
      const request = await encodeRequest(context, acceptance);
      const { requestId } = request;
      const server = await context.servers.of(request.accountId);
      const { gate, groups } = writerOf(server);
      if (idempotency !== undefined) {
        // A repeat waits until the first request commits. So it gets a transaction of its own,
        // which does not delay other requests.
        const leave = await enterGate(gate, request.accountId, 'too_many_requests_in_flight');
        try {
          return await retryOnNewPartition(() =>
            server.db.transaction().execute(async (trx) => {
              const first = await claimIdempotencyKey(trx, request, idempotency);
              if (first !== undefined) return requireSameBody(first);
              // After the claim, so that a repeat has no position before it waits.
              await insertRequests(trx, [request], await positionsFor(context.config, context.db, 1));
              return requestId;
            }),
          );
        } finally {
          leave();
        }
      }
      const failure = await groups.add(request);
      if (failure !== undefined) throw failure.error;
      return requestId;
    },
    acceptWith: (acceptance, work) => acceptWith(context, [acceptance], work),
    async drain() {
      await Promise.all(writers.values().map(({ groups }) => groups.drain()));
    },
  };
}

/** A request could not be stored, although others of its group were. */
interface StoreFailure {
  readonly error: unknown;
}

/**
 * Stores requests of any accounts. On a cluster, each account is stored on its node, so only those
 * fail whose node does.
 */
async function storeGroup(context: Context, requests: readonly NewRequest[]): Promise<(StoreFailure | undefined)[]> {
  const positions = await positionsFor(context.config, context.db, requests.length);
  if (positions === undefined) {
    await retryOnNewPartition(() => insertGroup(context.pool, requests));
    return requests.map(() => undefined);
  }
  const failures = new Map<number, StoreFailure>();
  await Promise.all(
    Map.groupBy([...requests.keys()], (at) => requests[at]!.accountId)
      .entries()
      .map(async ([accountId, places]) => {
        try {
          const { db } = await context.servers.of(accountId);
          const own = places.map((at) => requests[at]!);
          const ownPositions = places.map((at) => positions[at]!);
          await retryOnNewPartition(() => db.transaction().execute((trx) => insertRequests(trx, own, ownPositions)));
        } catch (error) {
          failures.set(accountId, { error });
        }
      }),
  );
  return requests.map(({ accountId }) => failures.get(accountId));
}

/**
 * Reserves positions on a cluster. A single server does this itself when it stores the requests.
 * `coordinator` can be a transaction.
 */
export async function positionsFor(
  { layout }: Pick<Config, 'layout'>,
  coordinator: Database,
  count: number,
): Promise<number[] | undefined> {
  return layout === 'citus' ? reservePositions(coordinator, count) : undefined;
}

/**
 * Makes the gate for requests with an idempotency key. Each of them uses a connection, and a repeat
 * keeps it until the first request commits. The gate prevents one account from using all
 * connections.
 */
function createIdempotentGate(config: Pick<Config, 'databasePoolSize'>): FairGate<number> {
  return createFairGate({ ...turnLimits(config), waitingPerKey: requestsInFlight.perAccount, timeout: 5_000 });
}

/** Encodes a request that is accepted now as a row. */
export async function encodeRequest(
  { features, now }: Pick<Context, 'features' | 'now'>,
  { accountId, requestId, operation, payload, total, splitBy }: Omit<Acceptance, 'idempotency'>,
): Promise<NewRequest> {
  const acceptedAt = now();
  const split = splitBy === undefined ? undefined : splitOf(features, operation, splitBy);
  const encoded = await encodePayload(payload, split);
  return { accountId, requestId, operation, ...encoded, total, isWhole: isWhole(features, operation), acceptedAt };
}

/** Stores requests in order and does `work`, in one transaction. Throws what `work` throws. */
export async function acceptWith(
  context: Pick<Context, 'config' | 'db' | 'features' | 'now'>,
  acceptances: readonly Omit<Acceptance, 'idempotency'>[],
  work: (trx: Database) => Promise<void>,
): Promise<void> {
  const requests = await Promise.all(acceptances.map((acceptance) => encodeRequest(context, acceptance)));
  await storeWith(context, requests, work);
}

/** Like {@link acceptWith}, for requests that are already encoded. */
export async function storeWith(
  context: Pick<Context, 'config' | 'db'>,
  requests: readonly NewRequest[],
  work: (trx: Database) => Promise<void>,
): Promise<void> {
  await retryOnNewPartition(() =>
    context.db.transaction().execute(async (trx) => {
      if (context.config.layout === 'citus') await trx.executeQuery(CompiledQuery.raw(commitInTwoPhases));
      await work(trx);
      // After the work, which can wait for locks: positions are in the order of acceptance.
      if (requests.length > 0)
        await insertRequests(trx, requests, await positionsFor(context.config, trx, requests.length));
    }),
  );
}

/**
 * Writes requests, and retries once when the partition of their day was created during the write.
 * PostgreSQL had already chosen the default partition, and then refuses the rows, because another
 * partition covers them.
 */
export async function retryOnNewPartition<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isPartitionViolation(error)) throw error;
    return write();
  }
}

/** Returns the id of the first request; throws `idempotency_conflict` if its body differs. */
export function requireSameBody(first: FirstUse): string {
  if (!first.sameBody) throw new ApiError('idempotency_conflict');
  return first.requestId;
}
