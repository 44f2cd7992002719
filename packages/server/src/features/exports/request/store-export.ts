import { randomBytes } from 'node:crypto';
import { requireRoom } from '#features/accounts/stored-files/file-quota.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportPlace } from '#platform/database/schema/tables/exports.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { addExportJob } from '../store/export-job.ts';
import { countUnfinishedExports, insertExport } from '../store/export-store.ts';
import type { CheckedExport } from './check-export.ts';

/** Maximum attempts of an export. They take about half an hour together. */
const maxRuns = 8;
/** In seconds. Most exports end sooner. */
const retryAfter = 60;

/** Who starts an export, and how. */
export interface ExportStart {
  readonly accountId: number;
  readonly requestId: string;
  readonly author: Author;
  /** Set when an API key requests the export. */
  readonly apiKeyId?: number | undefined;
  readonly unmasked: boolean;
  /** Set when a schedule starts the export. */
  readonly schedule?: { readonly id: string; readonly dueAt: Date; readonly place: ExportPlace | null };
}

/**
 * Stores an export that was checked, and adds the job that runs it. The caller must hold the lock
 * of the account.
 */
export async function storeExport(
  trx: Database,
  context: Pick<Context, 'now'>,
  checked: CheckedExport,
  { accountId, requestId, author, apiKeyId, unmasked, schedule }: ExportStart,
): Promise<void> {
  await insertExport(trx, {
    ...checked,
    account_id: accountId,
    request_id: requestId,
    author,
    api_key_id: apiKeyId ?? null,
    unmasked,
    schedule_id: schedule?.id ?? null,
    due_at: schedule?.dueAt ?? null,
    place: schedule?.place ?? null,
    secret: randomBytes(32),
    accepted_at: context.now(),
  });
  const row = { account_id: accountId, request_id: requestId, place: schedule?.place ?? null };
  await addExportJob(trx, row, { key: requestId, maxAttempts: maxRuns });
  const { audience_type, audience_id, filter, columns, blocklist_type } = checked;
  await writeAudit(trx, context, {
    accountId,
    actor: author,
    action: 'export.create',
    subject: `export:${requestId}`,
    details: {
      ...(filter === null ? { audience_type, audience_id } : { source: isEmpty(filter) ? 'all contacts' : 'filter' }),
      attributes: columns.map(({ name }) => name),
      blocklist_type,
      unmasked,
      ...(schedule === undefined ? {} : { schedule_id: schedule.id }),
    },
  });
}

function isEmpty({ filtering_criteria: groups }: NonNullable<CheckedExport['filter']>): boolean {
  return groups.every(({ condition_details: conditions }) => conditions.length === 0);
}

/**
 * Throws `too_many_exports` if the account has too many unfinished exports. Exports of all accounts
 * run in one order, so an account with many exports would delay the others. Throws `storage_quota`
 * if it has no room for the file, unless the file goes to a `place` of the account. The caller must
 * hold the lock of the account.
 */
export async function requireUnderLimits(
  trx: Database,
  context: Pick<Context, 'config'>,
  accountId: number,
  place: ExportPlace | null = null,
): Promise<void> {
  const limit = context.config.exportsPerAccount;
  if ((await countUnfinishedExports(trx, accountId)) >= limit) {
    throw new ApiError('too_many_exports', { params: { limit }, headers: { 'retry-after': String(retryAfter) } });
  }
  if (place === null) await requireRoom(trx, context, { accountId });
}
