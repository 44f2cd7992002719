import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { NewRequest } from '#pipeline/accept/accept-store.ts';
import { encodeRequest, storeWith, type NewAcceptance } from '#pipeline/accept/accept.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import { advance, countApplied, type AcceptedChunk, type ChunkKind } from './chunk-store.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createComposer, type ContactItem } from '../rows/compose.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';
import { waitForRequests } from './wait-for-requests.ts';

// What waits in the pipeline for one import: enough to keep it busy while the next rows are read, and so little that other requests of the
// account wait for no more than some tenths of a second behind it.
const mostWaiting = 8;

/**
 * Turns the rows of a file into requests of the pipeline, from where an earlier run has stopped, and waits until all are applied.
 *
 * Each chunk is accepted in the transaction that writes down the position behind it, so that no row is accepted twice, however often the
 * process is killed.
 */
export async function applyFile(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<void> {
  const registry = await loadRegistry(context.db, row.account_id);
  const composer = createComposer(row, registry);
  let waiting = await countApplied(context.db, run);
  if (!row.all_read) {
    const rows = fileRows(row, fileBytes(context, row));
    for await (const chunk of chunksOf(rows, composer, { chunks: row.chunks, rows: row.rows_read })) {
      // Only what is stored outlives the wait: the rows and items of a chunk are garbage while they are young.
      const ready = await encodeChunk(context, row, chunk);
      if (waiting >= mostWaiting) waiting = await waitForRequests(context, run, { most: mostWaiting, signal });
      signal.throwIfAborted();
      await accept(context, run, ready);
      waiting += ready.requests.length;
    }
    await importRuns.note(context.db, run, { all_read: true });
  }
  await waitForRequests(context, run, { most: 1, signal, before: () => importRuns.requireRunning(context.db, run) });
}

/** A chunk that is ready to be accepted. */
interface ReadyChunk extends AcceptedChunk {
  readonly encoded: readonly NewRequest[];
}

async function encodeChunk(context: Context, { mode, account_id }: ImportRow, chunk: Chunk): Promise<ReadyChunk> {
  const kinds = (['identified', 'anonymous'] as const).filter((kind) => chunk.items[kind].length > 0);
  const encoded = await Promise.all(
    kinds.map((kind) =>
      encodeRequest(context, acceptanceOf(mode, kind, chunk.items[kind], account_id, context.newId())),
    ),
  );
  return {
    encoded,
    chunk: chunk.number,
    requests: encoded.map(({ requestId }, at) => ({ kind: kinds[at]!, requestId })),
    rows: chunk.rowsRead,
    bytes: chunk.bytesRead,
    failed: chunk.rows.filter(({ item }) => item === undefined).length,
    warnings: chunk.rows.reduce((sum, { item, failures }) => sum + (item === undefined ? 0 : failures.length), 0),
  };
}

/** Accepts a chunk. Throws a `RunOver`, or `primary_key_changed`. */
async function accept(context: Context, run: LongRun, { encoded, ...chunk }: ReadyChunk): Promise<void> {
  const acceptedAt = context.now();
  await storeWith(
    context,
    encoded.map((request) => ({ ...request, acceptedAt })),
    async (trx) => {
      if (await advance(trx, run, chunk)) return;
      await importRuns.requireRunning(trx, run);
      throw new ImportFailure('primary_key_changed');
    },
  );
  for (const { operation, total } of encoded) context.metrics.accepted.inc({ operation }, total);
}

/** The request that items of an import become. */
export function acceptanceOf(
  mode: ImportRow['mode'],
  kind: ChunkKind,
  items: readonly ContactItem[],
  accountId: number,
  requestId: string,
): Extract<NewAcceptance, { operation: 'contact.create' | 'contact.update' }> {
  const common = { accountId, requestId, total: items.length };
  if (mode === 'update') {
    const payload = { contacts: items as Payloads['contact.update']['contacts'] };
    return { ...common, operation: 'contact.update', payload };
  }
  const payload: Payloads['contact.create'] = {
    contact_type: kind,
    contacts: items as Payloads['contact.create']['contacts'],
    ...(mode === 'create' ? { reject_existing: true, reject_repeated: true } : {}),
  };
  return { ...common, operation: 'contact.create', payload };
}
