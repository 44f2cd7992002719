import {
  Faults,
  previewRows,
  type CreateExportBody,
  type ExportPreview,
  type PartlyRead,
  type PreviewExportBody,
} from '@roster/contract';
import { sql } from 'kysely';
import { requireAccount, requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { requireFilterRoom, type StoredFilters } from '#features/search/filter-room.ts';
import { countFilter } from '#features/search/search.ts';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { faultsError } from '#platform/errors/api-error.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { exportedContacts, rowsQuery } from '../run/copy-statement.ts';
import { estimateRows, isExactSize } from '../run/row-estimate.ts';
import { headerOf, readSource } from '../run/source.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';
import { checkOperatorExport, exportScope } from './check-operator-export.ts';
import { requireUnderLimits, storeExport } from './store-export.ts';

/** Who asks for an export. */
export interface Requester {
  readonly author: Author;
  /** What the caller may see, and use in filters. */
  readonly rights: FilterRights;
}

/**
 * Checks and stores an export of an operator, and adds its job, in one transaction. Throws
 * `invalid_request` with all faults, `not_found`, `too_many_exports`, `storage_quota`, and
 * `conflict` when the filters of unfinished exports are too long together.
 */
export async function createExport(
  context: Context,
  accountId: number,
  requestId: string,
  body: CreateExportBody,
  { author, rights }: Requester,
): Promise<ExportRow> {
  return context.db.transaction().execute(async (trx) => {
    // The lock prevents the deletion of an attribute until the export that names it is stored.
    await requireLockedAccount(trx, accountId);
    const faults = new Faults();
    const scope = await exportScope(trx, accountId, rights);
    const checked = await checkOperatorExport(trx, context, scope, body, faults);
    if (faults.count > 0) throw faultsError(faults);
    await requireUnderLimits(trx, context, accountId);
    const apiKeyId = /^api-key:(\d+)$/.exec(author)?.[1];
    await storeExport(trx, context, checked, {
      accountId,
      requestId,
      author,
      apiKeyId: apiKeyId === undefined ? undefined : Number(apiKeyId),
      unmasked: body.unmasked === true,
    });
    await requireFilterRoom(trx, filtersOf(accountId));
    return exportRuns.require(trx, { accountId, id: requestId });
  });
}

/** The filters of the unfinished exports of an account. */
const filtersOf = (accountId: number): StoredFilters => ({
  of: 'unfinished exports',
  query: sql`select filter from exports where account_id = ${accountId} and status in ('accepted', 'running')`,
  advice: 'Try again when one of them has ended.',
});

/** Adds the faults that depend on the account to a request that already has faults. */
export async function addExportFaults(
  context: Context,
  accountId: number,
  body: PartlyRead<CreateExportBody>,
  { rights }: Requester,
  faults: Faults,
): Promise<void> {
  await requireAccount(context.db, accountId);
  const scope = await exportScope(context.db, accountId, rights);
  await checkOperatorExport(context.db, context, scope, body, faults);
}

/**
 * Returns the first rows of the file that an export would write. Throws the errors of
 * {@link createExport}, and those of a search that waited or ran too long.
 */
export async function previewExport(
  context: Context,
  accountId: number,
  body: PreviewExportBody,
  { rights }: Requester,
  signal: AbortSignal,
): Promise<ExportPreview> {
  await requireAccount(context.db, accountId);
  return context.searches.run(accountId, signal, async (db) => {
    const faults = new Faults();
    const scope = await exportScope(db, accountId, rights);
    const checked = await checkOperatorExport(db, context, scope, body, faults);
    if (faults.count > 0) throw faultsError(faults);
    const content = { ...checked, account_id: accountId, unmasked: body.unmasked === true };
    const source = await readSource({ searchDb: db, now: context.now }, content);
    const columns = headerOf(content, source);
    const { cells, rest } = rowsQuery(source, { limit: previewRows });
    const { rows } = await sql<{ cells: (string | null)[] }>`
      select array[${cells}] as cells from ${rest}`.execute(db);
    const isComplete = rows.length < previewRows;
    const isEstimate = !isComplete && !isExactSize(source) && body.get_count !== true;
    return {
      columns,
      rows: rows.map((row) => row.cells.map((cell) => cell ?? '')),
      rows_total: isComplete ? rows.length : Math.max(rows.length, await sizeOf()),
      is_estimate: isEstimate,
    };

    /** The number can be less than the rows that are shown: an estimate, or a moment later. */
    async function sizeOf(): Promise<number> {
      if (isEstimate || isExactSize(source)) return estimateRows(db, source);
      const { filter, blocklist } = source;
      return countFilter({ searchDb: db }, filter, exportedContacts(filter, blocklist));
    }
  });
}
