import type { Context } from '#platform/context.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { nextRequests, type WaitingRequest } from './batch-store.ts';
import { decodeRequests, type DecodedBatch } from './decode.ts';
import { lookupsOf, planBatch, type Plan } from '#features/contacts/batch/plan.ts';
import { isSuspected } from './poison-requests.ts';

/** A batch whose turn has come. */
export interface ReadyBatch {
  readonly requests: readonly WaitingRequest[];
  /** The contacts that it looks for. */
  readonly lookups: Lookups;
  readonly plan: Plan;
}

/** A batch that was read ahead. */
export interface NextBatch {
  /** Empty when none waits. */
  readonly requests: readonly WaitingRequest[];
  /** The plan that is made ahead of the turn, if one is; undefined when it has to be made in its turn after all. Never rejects. */
  readonly ahead: Promise<Plan | undefined> | undefined;
  /** Plans the batch, unless that was done ahead; called once, when its turn has come. */
  ready(): Promise<ReadyBatch>;
}

/**
 * Reads and plans the batches of one account ahead of their turn, on other connections than the one that writes.
 *
 * `readNext` reads the oldest waiting requests, without those of `underWay`, the batches that are being written, and plans what they do
 * unless that can depend on one of those. While PostgreSQL writes some, the worker puts the next together. Nothing is done with a request
 * that is suspected before its turn.
 *
 * The caller holds the lane, and drops what was read when it lets go or a batch fails: only then is it certain that nobody else has changed
 * the contacts. Behind a batch that changes the registry nothing is read ahead, and a lane is opened anew: the primary key may be renamed.
 */
export function openLane(context: Context, accountId: number, primaryKey: string) {
  const { pool, log } = context;
  const plan = (batch: DecodedBatch): Promise<Plan> => planBatch(pool, accountId, batch, context);

  async function decode(requests: readonly WaitingRequest[]) {
    const batch = await decodeRequests(requests, log);
    return { batch, lookups: lookupsOf(batch.items, primaryKey) };
  }

  // These two are not one: a batch that waits or is written keeps what its functions can see, and what is decoded has to be garbage as
  // soon as it is planned, while it is young.

  function planned(requests: readonly WaitingRequest[], lookups: Lookups, made: Promise<Plan>): NextBatch {
    // Whose contacts it touches was not known when it was compared with those under way.
    const ahead = made.then((plan) => (plan.followsFormerKeys ? undefined : plan));
    const inTurn = unplanned(requests);
    return {
      requests,
      ahead,
      async ready() {
        const plan = await ahead;
        return plan === undefined ? inTurn.ready() : { requests, lookups, plan };
      },
    };
  }

  function unplanned(requests: readonly WaitingRequest[], ahead?: Awaited<ReturnType<typeof decode>>): NextBatch {
    let decoded = ahead;
    return {
      requests,
      ahead: undefined,
      async ready() {
        const { batch, lookups } = decoded ?? (await decode(requests));
        decoded = undefined;
        return { requests, lookups, plan: await plan(batch) };
      },
    };
  }

  return {
    async readNext(underWay: readonly ReadyBatch[]): Promise<NextBatch> {
      const seqs = underWay.flatMap((batch) => batch.requests.map(({ seq }) => seq));
      const requests = await nextRequests(pool, accountId, seqs);
      if (underWay.length === 0 || requests.length === 0 || requests.some(isSuspected)) return unplanned(requests);
      const { batch, lookups } = await decode(requests);
      return underWay.every((other) => !other.plan.followsFormerKeys && differ(lookups, other.lookups))
        ? planned(requests, lookups, plan(batch))
        : unplanned(requests, { batch, lookups });
    },
  };
}

/** True when two batches touch different contacts for certain: both name theirs by key, and no key is in both. */
function differ(a: Lookups, b: Lookups): boolean {
  return a.onlyKeys && b.onlyKeys && a.key.isDisjointFrom(b.key);
}
