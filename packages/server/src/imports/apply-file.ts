import { setTimeout as sleep } from 'node:timers/promises';
import { loadRegistry } from '../attributes/registry.ts';
import type { Context } from '../context.ts';
import { acceptWith, type NewAcceptance } from '../requests/accept.ts';
import type { Payloads } from '../requests/payload.ts';
import { advance, countApplied, type ChunkKind } from './chunk-store.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createComposer, type ContactItem } from './compose.ts';
import { ImportFailure } from './import-failure.ts';
import type { ImportRow, ImportRun } from './import-store.ts';
import { fileBytes, fileRows } from './open-file.ts';
import { note, requireRunning } from './run-notes.ts';

// What waits in the pipeline for one import: enough to keep it busy while the next rows are read, and so little that other requests of the
// account wait for no more than some tenths of a second behind it.
const mostWaiting = 8;
/** How often is looked whether requests were applied, in milliseconds. */
const look = 25;

/**
 * Turns the rows of a file into requests of the pipeline, from where an earlier run has stopped, and waits until all are applied.
 *
 * Each chunk is accepted in the transaction that writes down the position behind it, so that no row is accepted twice, however often the
 * process is killed.
 */
export async function applyFile(context: Context, row: ImportRow, run: ImportRun, signal: AbortSignal): Promise<void> {
  const registry = await loadRegistry(context.db, row.account_id);
  const composer = createComposer(row, registry);
  let waiting = await countApplied(context.db, run);
  if (!row.all_read) {
    const rows = fileRows(row, fileBytes(context, row));
    for await (const chunk of chunksOf(rows, composer, { chunks: row.chunks, rows: row.rows_read })) {
      while (waiting >= mostWaiting) {
        signal.throwIfAborted();
        await sleep(look);
        waiting = await countApplied(context.db, run);
      }
      signal.throwIfAborted();
      waiting += await accept(context, row, run, chunk);
    }
    await note(context, run, { all_read: true });
  }
  while ((await countApplied(context.db, run)) > 0) {
    signal.throwIfAborted();
    await sleep(look);
    await requireRunning(context, run);
  }
}

/** Accepts a chunk and answers the number of its requests. Throws a {@link RunOver}, or `primary_key_changed`. */
async function accept(context: Context, row: ImportRow, run: ImportRun, chunk: Chunk): Promise<number> {
  const { mode, account_id: accountId } = row;
  const requests = (['identified', 'anonymous'] as const).flatMap((kind) => {
    const items = chunk.items[kind];
    if (items.length === 0) return [];
    return { kind, acceptance: acceptanceOf(mode, kind, items, accountId, context.newId()) };
  });
  const failed = chunk.rows.filter(({ item }) => item === undefined).length;
  const warnings = chunk.rows.reduce((sum, { item, failures }) => sum + (item === undefined ? 0 : failures.length), 0);
  await acceptWith(
    context,
    requests.map(({ acceptance }) => acceptance),
    async (trx) => {
      const advanced = await advance(trx, run, {
        chunk: chunk.number,
        requests: requests.map(({ kind, acceptance }) => ({ kind, requestId: acceptance.requestId })),
        rows: chunk.rowsRead,
        bytes: chunk.bytesRead,
        failed,
        warnings,
      });
      if (advanced) return;
      await requireRunning({ db: trx }, run);
      throw new ImportFailure('primary_key_changed');
    },
  );
  for (const { acceptance } of requests) {
    context.metrics.accepted.inc({ operation: acceptance.operation }, acceptance.total);
  }
  return requests.length;
}

/** The request that items of an import become. */
export function acceptanceOf(
  mode: ImportRow['mode'],
  kind: ChunkKind,
  items: readonly ContactItem[],
  accountId: number,
  requestId: string,
): NewAcceptance {
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
