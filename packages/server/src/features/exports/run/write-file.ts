import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { resolveAudience } from '#features/search/search.ts';
import { copyStatement, type CopySource } from './copy-statement.ts';
import { csvHeader } from './csv-header.ts';
import { fieldsOfColumns } from './export-columns.ts';
import { ExportFailure } from './export-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import type { ExportRow } from '../store/export-store.ts';
import { fileKey } from '../store/file-key.ts';
import { RowEnds } from './row-ends.ts';
import { estimateRows } from './row-estimate.ts';
import { keepNotes } from './run-notes.ts';

/** What the files are, by compression. */
export const contentTypes = { none: 'text/csv; charset=utf-8', gzip: 'application/gzip' } as const;

// 135 MB a second, which is more than one server process writes; the default of 6 makes the file a tenth smaller, and the export slower.
const gzipLevel = 4;

/** A file that is in the store. */
export interface WrittenFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly rows: number;
}

/**
 * Writes the file of an export: what the audience is and what its contacts are, at one moment.
 *
 * Throws an {@link ExportFailure} when the audience or an attribute is gone; rejects with the reason of the signal, or with a `RunOver`, when
 * it was told to end. Nothing is left in the store then.
 */
export async function writeFile(
  context: Context,
  row: ExportRow,
  run: LongRun,
  signal: AbortSignal,
): Promise<WrittenFile> {
  await using snapshot = await openSnapshot(context.pool);
  const source = await readSource(snapshot.db, row);
  await using notes = keepNotes(context, run);
  const rows_total = await estimateRows(snapshot.db, source);
  const rowEnds = new RowEnds(csvHeader(row.columns, source.formulaGuard));
  notes.follow(() => ({ rows_total, rows_written: rowEnds.rows }));
  const key = fileKey(row);
  const ending = AbortSignal.any([signal, notes.over]);
  try {
    const size = await context.exportFiles.write(key, {
      contentType: contentTypes[row.compression],
      signal: ending,
      onBegin: (unfinished) => notes.write({ rows_total, unfinished_write: unfinished }),
      async fill(sink) {
        const rows = snapshot.copyOut(copyStatement(source));
        const stages =
          row.compression === 'gzip' ? [rows, rowEnds, createGzip({ level: gzipLevel }), sink] : [rows, rowEnds, sink];
        await pipeline(stages, { signal: ending });
        await snapshot.finish();
      },
    });
    return { key, size, rows: rowEnds.rows };
  } catch (error) {
    // The streams say no more than that they were aborted.
    notes.over.throwIfAborted();
    signal.throwIfAborted();
    throw error;
  }
}

/** What the export means at the moment of the snapshot. */
async function readSource(db: Database, row: ExportRow): Promise<CopySource> {
  const { account_id: accountId, audience_type, audience_id, blocklist_type: blocklist, unmasked } = row;
  const account = await findAccount(db, accountId);
  const registry = await loadRegistry(db, accountId);
  const fields = fieldsOfColumns(row.columns, registry);
  const audience = { audience_type, audience_id: [audience_id] };
  const resolved = resolveAudience({ searchDb: db }, { accountId, registry, unmasked: true }, audience);
  const filter = await explainGoneAudience(resolved, row);
  const { csv_formula_guard: formulaGuard } = effectiveSettings(account!.settings);
  return { filter, fields, blocklist, unmasked, formulaGuard };
}

async function explainGoneAudience(resolved: Promise<ResolvedFilter>, row: ExportRow): Promise<ResolvedFilter> {
  try {
    return await resolved;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
    const [fault] = error.faults;
    const thing = `${row.audience_type} ${row.audience_id}`;
    const reason =
      fault?.code === 'not_found'
        ? `The ${thing} was deleted before the export ran`
        : `The ${thing} could not be evaluated when the export ran: ${fault?.message}`;
    throw new ExportFailure(reason, { cause: error });
  }
}
