import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { waitForRequests } from '#pipeline/accept/wait-for-requests.ts';
import { encodeRequest, storeWith } from '#pipeline/accept/acceptor.ts';
import { bulkChangeRuns, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { countApplied, loadChunk, storeAcceptedChunk } from '../store/chunk-store.ts';
import { requestsOf } from './chunk-requests.ts';

// Maximum chunks of one bulk change that wait in the pipeline. With two, the pipeline always has
// the next chunk, and another request of the account waits for at most two thousand contacts.
const maxWaiting = 2;

/**
 * Sends the chosen contacts through the pipeline, chunk by chunk, and waits until all are applied.
 * Continues where the previous run stopped.
 *
 * One transaction accepts a chunk and stores the position after it. Therefore no chunk is accepted
 * twice, even when the process is killed.
 */
export async function applyChunks(
  context: Context,
  row: BulkChangeRow,
  run: LongRun,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context;
  const registry = await loadRegistry(db, row.account_id);
  const countWaiting = () => countApplied(db, run);
  for (let number = row.next_chunk; ; number++) {
    const chunk = await loadChunk(db, run, number);
    if (chunk === undefined) break;
    await waitForRequests(countWaiting, { below: maxWaiting, signal });
    const requests = requestsOf(context, row, registry, chunk.contactIds);
    const encoded = await Promise.all(requests.map((request) => encodeRequest(context, request)));
    signal.throwIfAborted();
    await storeWith(context, encoded, async (trx) => {
      const ids = encoded.map(({ requestId }) => requestId);
      if (!(await storeAcceptedChunk(trx, run, number, ids))) throw bulkChangeRuns.over();
    });
    for (const { operation, total } of encoded) context.metrics.accepted.inc({ operation }, total);
  }
  await waitForRequests(countWaiting, { below: 1, signal, before: () => bulkChangeRuns.requireRunning(db, run) });
}
