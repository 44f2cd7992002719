import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createComposer } from '../rows/compose.ts';
import { failedRowsOf } from './failed-rows.ts';
import { writeFailures, type FailedRow } from './failures-file.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';
import { rehearseItems, type RehearsedItem } from './rehearse-items.ts';
import { openSeenKeys } from '../rows/seen-keys.ts';

type Counts = Pick<ImportRow, 'created' | 'updated' | 'unchanged' | 'failed' | 'warnings'>;

/**
 * Finds out what the rows of a file would do, from the beginning, and writes nothing but how far it is and what would fail.
 *
 * Each chunk is planned by the pipeline itself, on what is stored now; plans are dropped instead of written.
 */
export async function rehearse(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<void> {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0, warnings: 0 };
  await importRuns.note(context.db, run, { ...counts, bytes_read: 0, rows_read: 0, all_read: false });
  await writeFailures(context, row, rows(), signal);
  await importRuns.note(context.db, run, { all_read: true });

  async function* rows(): AsyncGenerator<FailedRow> {
    const composer = createComposer(row, await loadRegistry(context.db, row.account_id));
    await using seen = await openSeenKeys(context);
    for await (const chunk of chunksOf(fileRows(row, fileBytes(context, row)), composer)) {
      signal.throwIfAborted();
      const items = [
        ...(await rehearseItems(context, row, 'identified', chunk.items.identified, seen)),
        ...(await rehearseItems(context, row, 'anonymous', chunk.items.anonymous, seen)),
      ];
      count(chunk, items, counts);
      const failures = items.flatMap(({ kind, index, failures: own }) =>
        own.map((failure) => ({ kind, index, ...failure })),
      );
      yield* failedRowsOf(chunk, failures, composer);
      await importRuns.note(context.db, run, { ...counts, bytes_read: chunk.bytesRead, rows_read: chunk.rowsRead });
    }
  }
}

function count({ rows }: Chunk, items: readonly RehearsedItem[], counts: Counts): void {
  for (const { item, failures } of rows) {
    if (item === undefined) counts.failed++;
    else counts.warnings += failures.length;
  }
  for (const { outcome, failures } of items) {
    counts[outcome]++;
    if (outcome !== 'failed') counts.warnings += failures.length;
  }
}
