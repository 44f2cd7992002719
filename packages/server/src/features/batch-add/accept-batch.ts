import { upperCaseName } from '@roster/contract';
import type { Credential } from '#platform/http/authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { retryOnNewPartition, encodeRequest, requireSameBody } from '#pipeline/accept/acceptor.ts';
import { claimIdempotencyKey } from '#pipeline/accept/accept-store.ts';
import { createGroupWriter, type GroupWriter } from '#pipeline/accept/group-writer.ts';
import type { PreparedBatch } from './prepare-batch.ts';
import { storeBatches, type NewBatch, type Outcome } from './store-batches.ts';

/** A batch to accept. */
export interface BatchRequest {
  readonly requestId: string;
  readonly credential: Credential;
  readonly batch: PreparedBatch;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Creates the function that accepts batches. It stores the request, the job and the daily count in
 * one transaction, and returns the id of the job. A repeated idempotency key returns the id of the
 * first job.
 *
 * Throws `batch_list_unknown`, `batch_primarykey_differs`, `batch_limit_reached`,
 * `idempotency_conflict`.
 */
export function createBatchAcceptor(context: Context): (request: BatchRequest) => Promise<string> {
  // Each transaction locks the row with the daily count of its account. Therefore one group of
  // batches of an account is written at a time. Batches that arrive meanwhile wait without a
  // connection, and the next commit stores them as one group.
  const writers = new Map<number, GroupWriter<NewBatch, Outcome>>();

  function writerOf(accountId: number): GroupWriter<NewBatch, Outcome> {
    let writer = writers.get(accountId);
    if (writer === undefined) {
      writer = createGroupWriter<NewBatch, Outcome>({
        concurrent: 1,
        perOwner: 1,
        ownerOf: () => accountId,
        sizeOf: ({ request }) => request.payload.length,
        write: (batches) => transact(context, (trx) => storeBatches(trx, context, batches)),
      });
      writers.set(accountId, writer);
    }
    return writer;
  }

  return async (sent) => {
    const { credential, requestId } = sent;
    const batch = await newBatch(context, sent);
    const jobId =
      sent.idempotencyKey === undefined
        ? requireAccepted(await writerOf(credential.accountId).add(batch), requestId)
        : await storeOnce(context, sent, batch, sent.idempotencyKey);
    // A repeat adds nothing: its contacts were counted with the first request.
    if (jobId === requestId) {
      context.metrics.accepted.inc({ operation: batch.request.operation }, batch.request.total);
    }
    return jobId;
  };
}

/** Prepares the rows of a batch. */
async function newBatch(context: Context, { credential, requestId, batch }: BatchRequest): Promise<NewBatch> {
  const { accountId, primaryKey } = credential;
  const { envelope, payload, total } = batch;
  const acceptance = { accountId, requestId, operation: 'contact.batch-add', payload, total } as const;
  return {
    credential,
    fitsPrimaryKey: upperCaseName(envelope.primaryKey) === primaryKey,
    request: await encodeRequest(context, acceptance),
    job: {
      account_id: accountId,
      job_id: requestId,
      list_id: envelope.listId,
      callback_url: envelope.callbackUrl,
      notify_email: envelope.notifyEmail,
    },
    bodyHash: batch.bodyHash,
  };
}

/**
 * Stores a batch with an idempotency key, in a separate transaction. If the same key is in use, it
 * waits for the commit of the first transaction, and other batches must not wait for that. A
 * refused batch does not use up its key.
 */
async function storeOnce(context: Context, { requestId }: BatchRequest, batch: NewBatch, key: string): Promise<string> {
  return transact(context, async (trx) => {
    const first = await claimIdempotencyKey(trx, batch.request, { key, bodyHash: batch.bodyHash! });
    if (first !== undefined) return requireSameBody(first);
    const [outcome] = await storeBatches(trx, context, [batch]);
    return requireAccepted(outcome!, requestId);
  });
}

function requireAccepted(outcome: Outcome, requestId: string): string {
  if (outcome !== 'accepted') throw new ApiError(outcome);
  return requestId;
}

async function transact<T>({ db }: Context, work: (trx: Database) => Promise<T>): Promise<T> {
  return retryOnNewPartition(() => db.transaction().execute(work));
}
