import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { chunksOf, type Chunk } from './chunks.ts';
import { createRowMapper } from '../rows/row-mapper.ts';
import { failedRowsOf } from './failed-rows.ts';
import { writeFailures, type FailedRow } from './failures-file.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { fileBytes, fileRows } from '../rows/open-file.ts';
import { planChunkItems, type PlannedResult } from './dry-run-items.ts';
import { openSeenKeys } from '../rows/seen-keys.ts';

type Counts = Pick<ImportRow, 'created' | 'updated' | 'unchanged' | 'failed' | 'warnings'>;

/**
 * Finds out what an import would do, and changes no contact. Writes only the progress, the counts
 * and the file of failures.
 *
 * The pipeline plans each chunk with the stored contacts, and the plan is not written.
 * Every run begins at the first row.
 */
export async function dryRun(context: Context, row: ImportRow, run: LongRun, signal: AbortSignal): Promise<void> {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0, warnings: 0 };
  await importRuns.note(context.db, run, { ...counts, bytes_read: 0, rows_read: 0, all_read: false });
  await writeFailures(context, row, failedRows(), signal);
  await importRuns.note(context.db, run, { all_read: true });

  async function* failedRows(): AsyncGenerator<FailedRow> {
    const mapper = createRowMapper(row, await loadRegistry(context.db, row.account_id), row.uploaded_at!);
    await using seen = await openSeenKeys(context);
    for await (const chunk of chunksOf(fileRows(row, fileBytes(context, row)), mapper)) {
      signal.throwIfAborted();
      const results = [
        ...(await planChunkItems(context, row, 'identified', chunk.items.identified, seen)),
        ...(await planChunkItems(context, row, 'anonymous', chunk.items.anonymous, seen)),
      ];
      addCounts(counts, chunk, results);
      const failures = results.flatMap(({ kind, index, failures: own }) =>
        own.map((failure) => ({ kind, index, ...failure })),
      );
      yield* failedRowsOf(chunk, failures, mapper);
      await importRuns.note(context.db, run, { ...counts, bytes_read: chunk.bytesRead, rows_read: chunk.rowsRead });
    }
  }
}

function addCounts(counts: Counts, { rows }: Chunk, results: readonly PlannedResult[]): void {
  for (const { item, failures } of rows) {
    if (item === undefined) counts.failed++;
    else counts.warnings += failures.length;
  }
  for (const { outcome, failures } of results) {
    counts[outcome]++;
    if (outcome !== 'failed') counts.warnings += failures.length;
  }
}
