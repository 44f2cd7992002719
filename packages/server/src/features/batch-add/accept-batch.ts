import { raisedName } from '@roster/contract';
import type { Credential } from '#platform/http/authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { despiteNewPartition, encodeRequest, requireSameBody } from '#pipeline/accept/accept.ts';
import { rememberIdempotencyKey } from '#pipeline/accept/accept-store.ts';
import { createGroupWriter, type GroupWriter } from '#pipeline/accept/group-writer.ts';
import type { PreparedBatch } from './prepare-batch.ts';
import { storeBatches, type NewBatch, type Outcome } from './store-batches.ts';

/** A batch that was sent. */
export interface BatchRequest {
  readonly requestId: string;
  readonly credential: Credential;
  readonly batch: PreparedBatch;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Makes the function that accepts batches: it stores the request, the job and the count of the day in one transaction, and
 * answers the identifier of the job, for a repeat with the same idempotency key that of the first.
 *
 * Throws `batch_list_unknown`, `batch_primarykey_differs`, `batch_limit_reached`, `idempotency_conflict`.
 */
export function createBatchAcceptor(context: Context): (request: BatchRequest) => Promise<string> {
  // The row that counts the day of an account is locked until its transaction ends. So a process writes the batches of an account one group
  // after the other: those that arrive meanwhile are counted by one statement, stored by one commit, and wait without a connection.
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
    // The contacts of a repeat were counted when the first was accepted.
    if (jobId === requestId) {
      context.metrics.accepted.inc({ operation: batch.request.operation }, batch.request.total);
    }
    return jobId;
  };
}

/** What is stored of a batch. */
async function newBatch(context: Context, { credential, requestId, batch }: BatchRequest): Promise<NewBatch> {
  const { accountId, primaryKey } = credential;
  const { envelope, payload, total } = batch;
  const acceptance = { accountId, requestId, operation: 'contact.batch-add', payload, total } as const;
  return {
    credential,
    fitsPrimaryKey: raisedName(envelope.primaryKey) === primaryKey,
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
 * Stores a batch that came with an idempotency key, in a transaction of its own: a repeat has to wait for the first to commit, and must not
 * make others wait. A batch that is refused leaves the key free.
 */
async function storeOnce(context: Context, { requestId }: BatchRequest, batch: NewBatch, key: string): Promise<string> {
  return transact(context, async (trx) => {
    const first = await rememberIdempotencyKey(trx, batch.request, { key, bodyHash: batch.bodyHash! });
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
  return despiteNewPartition(() => db.transaction().execute(work));
}
