import { bulkChangeLimits, Faults, type CreateBulkChangeBody } from '@roster/contract';
import { sql } from 'kysely';
import { requireAccount, requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { requireFilterRoom, type StoredFilters } from '#features/search/filter-room.ts';
import { countFilter } from '#features/search/search.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, conflict, faultsError } from '#platform/errors/api-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { chunkSizeOf } from '../run/chunk-requests.ts';
import { isExpected } from '../run/expected-count.ts';
import { bulkChangeRuns, insertBulkChange, keyOf, type BulkChangeRow } from '../store/bulk-change-store.ts';
import { storeContacts } from '../store/chunk-store.ts';
import { checkBulkChange, type CheckedBulkChange } from './check-bulk-change.ts';

/** The caller of {@link createBulkChange}. */
interface Caller {
  readonly accountId: number;
  /** Who it is, for the audit log. */
  readonly author: Author;
  readonly rights: FilterRights;
  readonly signal: AbortSignal;
}

/**
 * Creates a bulk change. Throws:
 * - `not_found`, and `invalid_request` with all faults
 * - `bulk_count_changed` when the number of contacts is not the confirmed one
 * - `bulk_too_many_erasures`, and `conflict` when too many bulk changes have not ended
 * - the errors of a search that waited or ran too long; see `SearchQueue.run`
 */
export async function createBulkChange(
  context: Context,
  caller: Caller,
  body: CreateBulkChangeBody,
): Promise<BulkChangeRow> {
  const { accountId, author } = caller;
  await requireAccount(context.db, accountId);
  const contactIds = [...new Set(body.contact_ids)];
  const before = await check(context, caller, body);
  requireExpected(before, body, await countContacts(context, caller, before, contactIds));
  return context.db.transaction().execute(async (trx) => {
    // Uses of attributes are added under this lock. See `attributeUses`.
    await requireLockedAccount(trx, accountId);
    await requireUnderLimit(trx, accountId);
    const { action, selection } = await check({ db: trx, now: context.now }, caller, body);
    const row = await insertBulkChange(trx, {
      account_id: accountId,
      bulk_change_id: context.newId(),
      author,
      action,
      selection,
      expected_count: body.expected_count,
      created_at: context.now(),
    });
    await requireFilterRoom(trx, filtersOf(accountId));
    const key = keyOf(row);
    if (selection.by === 'contact_ids') {
      await storeContacts(trx, key, contactIds, chunkSizeOf(action));
      await trx
        .updateTable('bulk_changes')
        .where('account_id', '=', accountId)
        .where('bulk_change_id', '=', key.id)
        .set({ total: contactIds.length })
        .execute();
    }
    const payload = { account_id: accountId, bulk_change_id: key.id };
    const priority = await bulkChangeRuns.nextPriority(trx, accountId);
    await addJob(trx, 'bulk_change', payload, { key: key.id, priority });
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'bulk-change.create',
      subject: `bulk-change:${key.id}`,
      details: { ...auditedAction(action), selection: selection.by, expected_count: body.expected_count },
    });
    return bulkChangeRuns.require(trx, key);
  });
}

/** Throws `conflict` if too many bulk changes of an account have not ended. The caller has locked it. */
async function requireUnderLimit(trx: Database, accountId: number): Promise<void> {
  const limit = bulkChangeLimits.unfinished;
  if ((await bulkChangeRuns.countUnfinished(trx, accountId)) < limit) return;
  throw conflict(
    `The account has ${limit} unfinished bulk changes, which is the maximum. Try again when one of them has ended.`,
  );
}

/** The filters of the unfinished bulk changes of an account. */
const filtersOf = (accountId: number): StoredFilters => ({
  of: 'unfinished bulk changes',
  query: sql`select selection as filter from bulk_changes
    where account_id = ${accountId} and status in ('accepted', 'running')`,
  advice: 'Try again when one of them has ended.',
});

async function check(
  ctx: Pick<Context, 'db' | 'now'>,
  caller: Caller,
  body: CreateBulkChangeBody,
): Promise<CheckedBulkChange> {
  const faults = new Faults();
  const checked = await checkBulkChange(ctx, caller, body, faults);
  if (faults.count > 0) throw faultsError(faults);
  return checked;
}

async function countContacts(
  context: Context,
  { accountId, signal }: Caller,
  { filter }: CheckedBulkChange,
  contactIds: readonly number[],
): Promise<number> {
  if (filter === undefined) return contactIds.length;
  return context.searches.run(accountId, signal, (searchDb) => countFilter({ searchDb }, filter));
}

function requireExpected({ action }: CheckedBulkChange, body: CreateBulkChangeBody, count: number): void {
  const { expected_count: expected } = body;
  if (!isExpected(action, expected, count)) throw new ApiError('bulk_count_changed', { params: { count, expected } });
  const limit = bulkChangeLimits.erasures;
  if (action.type === 'erase' && count > limit)
    throw new ApiError('bulk_too_many_erasures', { params: { count, limit } });
}

/** Returns an action for the audit log, without the value, which can be personal data. */
function auditedAction(action: CheckedBulkChange['action']): Record<string, unknown> {
  const { type, ...rest } = action;
  if (action.type === 'set_attribute') return { action: type, attribute_id: action.attribute_id };
  return { action: type, ...rest };
}
