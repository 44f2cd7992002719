import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { requireRoomToKeep } from '#features/accounts/stored-files/file-quota.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { findColumns } from '../columns/find-columns.ts';
import { unguardedHeaders } from '../rows/formula-guard.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { acceptFile, importRuns, keyOf, lockFetch, type ImportRow } from '../store/import-store.ts';
import { inspectFile, type InspectedFile } from './inspect.ts';

/** A complete file in the file store. */
export interface WholeFile {
  /** Key in the file store of the file, or of its first part. */
  readonly fileKey: string;
  readonly size: number;
  /** The write numbers of its parts. Empty when the file was sent or fetched as a whole. */
  readonly parts: number[];
  /** Reads the beginning of the file. Throws an {@link ImportFailure} when a part is lost. */
  readonly readHead: () => Promise<Buffer>;
}

/**
 * Inspects a complete file, and accepts the import or ends it as failed. `row` is the import when
 * the upload or fetch of the file began.
 *
 * Returns undefined if the import no longer waits for this file: it has ended, another upload was
 * faster, or a newer attempt fetches the file. Throws `storage_quota`.
 */
export async function completeFile(
  context: Context,
  row: ImportRow,
  { fileKey, size, parts, readHead }: WholeFile,
): Promise<ImportRow | undefined> {
  const key = keyOf(row);
  const uploaded_at = context.now();
  let inspected: InspectedFile | undefined;
  try {
    const head = await readHead();
    const file = await inspectFile(head, head.length === size, row.given);
    inspected = file;
    return await context.db.transaction().execute(async (trx) => {
      // The lock prevents the deletion of an attribute until the import that writes it is accepted.
      const account = await requireLockedAccount(trx, row.account_id);
      await requireRoomToKeep(trx, context, { accountId: row.account_id, owner: row.import_id, bytes: size });
      const registry = await loadRegistry(trx, row.account_id);
      const { headers, ...facts } = file;
      const columns =
        file.format === 'csv'
          ? findColumns(unguardedHeaders(headers, row.given), { ...row, registry, given: row.given })
          : [];
      const stored = {
        ...facts,
        columns,
        file_size: size,
        file_key: fileKey,
        parts,
        primary_key: account.primary_key,
        uploaded_at,
      };
      const taken = await acceptFile(trx, row, stored);
      if (taken === undefined) return undefined;
      const payload = { account_id: row.account_id, import_id: row.import_id };
      const priority = await importRuns.nextPriority(trx, row.account_id);
      await addJob(trx, 'import', payload, { key: row.import_id, priority });
      return taken;
    });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const { headers: _headers, ...facts } = inspected ?? { headers: [] };
    const end = {
      ...facts,
      status: 'failed',
      file_size: size,
      columns: JSON.stringify(error.columns),
      finished_at: uploaded_at,
      failure_code: error.code,
      failure_message: error.message,
    } as const;
    // Another upload may have completed the file in the meantime. Then that file is used.
    const ended = await context.db.transaction().execute(async (trx) => {
      if (row.status === 'fetching' && !(await lockFetch(trx, row))) return undefined;
      return endWithoutRun(trx, key, end, row.status);
    });
    if (ended !== undefined) context.metrics.imports.inc({ outcome: 'failed' });
    return ended;
  }
}
