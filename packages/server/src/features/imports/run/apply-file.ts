import { requireAccount } from '#features/accounts/store/require-account.ts';
import { splitByOf } from '#pipeline/accept/split-by.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { NewRequest } from '#pipeline/accept/accept-store.ts';
import { encodeRequest, storeWith, type NewAcceptance } from '#pipeline/accept/acceptor.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import { storeAcceptedChunk, countApplied, type AcceptedChunk, type ChunkKind } from './chunk-store.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createRowMapper, type ContactItem } from '../rows/row-mapper.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { waitForRequests } from '#pipeline/accept/wait-for-requests.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';

// Maximum requests of one import that wait in the pipeline. With more, other requests of the
// account would wait for several tenths of a second. With fewer, the pipeline would have no work
// while the next rows are read.
const maxWaiting = 8;

/**
 * Turns the rows of a file into requests of the pipeline, and waits until all are applied.
 * Continues where the previous run stopped.
 *
 * One transaction accepts a chunk and stores the position after it. Therefore no row is accepted
 * twice, even when the process is killed.
 */
export async function applyFile(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<void> {
  const registry = await loadRegistry(context.db, row.account_id);
  const { settings } = await requireAccount(context.db, row.account_id);
  const splitBy = splitByOf({ primaryKey: registry.primaryKey, settings });
  const mapper = createRowMapper(row, registry, row.uploaded_at!);
  const countWaiting = () => countApplied(context.db, run);
  let waiting = await countWaiting();
  if (!row.all_read) {
    const rows = fileRows(row, fileBytes(context, row));
    for await (const chunk of chunksOf(rows, mapper, { chunks: row.chunks, rows: row.rows_read })) {
      // Encode before waiting, so that the rows and items of the chunk can be freed early.
      const encoded = await encodeChunk(context, row, chunk, splitBy);
      if (waiting >= maxWaiting) waiting = await waitForRequests(countWaiting, { below: maxWaiting, signal });
      signal.throwIfAborted();
      await accept(context, run, encoded);
      waiting += encoded.requests.length;
    }
    await importRuns.note(context.db, run, { all_read: true });
  }
  await waitForRequests(countWaiting, { below: 1, signal, before: () => importRuns.requireRunning(context.db, run) });
}

/** A chunk that is ready to be accepted. */
interface EncodedChunk extends AcceptedChunk {
  readonly encoded: readonly NewRequest[];
}

async function encodeChunk(
  context: Context,
  { mode, account_id }: ImportRow,
  chunk: Chunk,
  splitBy: string | undefined,
): Promise<EncodedChunk> {
  const kinds = (['identified', 'anonymous'] as const).filter((kind) => chunk.items[kind].length > 0);
  const encoded = await Promise.all(
    kinds.map((kind) =>
      encodeRequest(context, { ...acceptanceOf(mode, kind, chunk.items[kind], account_id, context.newId()), splitBy }),
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

/** Accepts the requests of a chunk. Throws a `RunOver`, or `primary_key_changed`. */
async function accept(context: Context, run: LongRun, { encoded, ...chunk }: EncodedChunk): Promise<void> {
  const acceptedAt = context.now();
  await storeWith(
    context,
    encoded.map((request) => ({ ...request, acceptedAt })),
    async (trx) => {
      if (await storeAcceptedChunk(trx, run, chunk)) return;
      await importRuns.requireRunning(trx, run);
      throw new ImportFailure('primary_key_changed');
    },
  );
  for (const { operation, total } of encoded) context.metrics.accepted.inc({ operation }, total);
}

/** Makes the request for contacts of an import. */
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
