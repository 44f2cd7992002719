import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { resolveAudience } from '#features/search/search.ts';
import { guardMark } from '#platform/csv/formula-guard.ts';
import { copyStatement, type CopySource } from './copy-statement.ts';
import { fieldsOfColumns } from './export-columns.ts';
import { ExportFailure } from './export-failure.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { fileKeyOf, type ExportRow } from '../store/export-store.ts';
import { RowEndConverter } from './row-ends.ts';
import { estimateRows } from './row-estimate.ts';
import { createRunProgress } from './run-progress.ts';

/** The content types of the files, by compression. */
export const contentTypes = { none: 'text/csv; charset=utf-8', gzip: 'application/gzip' } as const;

// Level 4 compresses 135 MB/s, which is faster than PostgreSQL writes. The default level 6 makes
// the file 10 % smaller, but slows down the export.
const gzipLevel = 4;

/** A file in the file store. */
export interface WrittenFile {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly rows: number;
}

/**
 * Writes the file of an export from one snapshot of the database.
 *
 * Throws an {@link ExportFailure} when the audience or an attribute was deleted, the reason of the
 * signal when it is aborted, and a `RunOver` when the run must end. Then there is no file.
 */
export async function writeFile(
  context: Context,
  row: ExportRow,
  run: LongRun,
  signal: AbortSignal,
): Promise<WrittenFile> {
  await using snapshot = await openSnapshot(context.pool);
  const source = await readSource(snapshot.db, row);
  await using progress = createRunProgress(context, run);
  const rows_total = await estimateRows(snapshot.db, source);
  const rowEnds = new RowEndConverter(headerOf(row, source));
  progress.saveEverySecond(() => ({ rows_total, rows_written: rowEnds.rows }));
  const key = fileKeyOf(row);
  const ending = AbortSignal.any([signal, progress.over]);
  try {
    const size = await context.exportFiles.write(key, {
      contentType: contentTypes[row.compression],
      signal: ending,
      onBegin: (unfinished) => progress.save({ rows_total, unfinished_write: unfinished }),
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
    // The error of an aborted stream does not contain the reason.
    progress.over.throwIfAborted();
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * Makes the header row. PostgreSQL cannot write it, because it cuts names after 63 bytes, and
 * attribute names can have 64. The names need no quotes: they have only letters, digits and `_`.
 */
function headerOf({ columns }: ExportRow, { formulaGuard }: CopySource): Buffer {
  const names = columns.map(({ name }) => name);
  return Buffer.from(`${[...names, ...(formulaGuard ? [guardMark] : [])].join(',')}\r\n`);
}

/** Reads what to export in the snapshot. */
async function readSource(db: Database, row: ExportRow): Promise<CopySource> {
  const { account_id: accountId, audience_type, audience_id, blocklist_type: blocklist, unmasked } = row;
  const account = await findAccount(db, accountId);
  const registry = await loadRegistry(db, accountId);
  const fields = fieldsOfColumns(row.columns, registry);
  const audience = { audience_type, audience_id: [audience_id] };
  const resolved = resolveAudience({ searchDb: db }, { accountId, registry, unmasked: true }, audience);
  const filter = await resolved.catch((error: unknown) => throwAudienceFailure(error, row));
  const { csv_formula_guard: formulaGuard } = effectiveSettings(account!.settings);
  return { filter, fields, blocklist, unmasked, formulaGuard };
}

function throwAudienceFailure(error: unknown, { audience_type, audience_id }: ExportRow): never {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
  const [fault] = error.faults;
  const audience = `${audience_type} ${audience_id}`;
  const reason =
    fault?.code === 'not_found'
      ? `The ${audience} was deleted before the export ran.`
      : `The ${audience} could not be evaluated when the export ran: ${fault?.message}`;
  throw new ExportFailure(reason, { cause: error });
}
