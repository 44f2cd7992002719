import { addList } from '#features/audiences/lists.ts';
import { listsByName } from '#features/audiences/list-store.ts';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { listKey } from '../columns/list-names.ts';

/**
 * Finds the lists that the cells of a file name, and creates those that do not exist. `names` has
 * the names by {@link listKey}. Returns the columns with the ids of the lists.
 *
 * A dry run creates no list. An earlier run may have created some. Throws `lists_not_created` if the
 * account would have too many lists.
 */
export async function createLists(
  context: Context,
  row: ImportRow,
  run: LongRun,
  columns: readonly FoundColumn[],
  names: ReadonlyMap<string, string>,
): Promise<FoundColumn[]> {
  if (names.size === 0) return [...columns];
  const { account_id: accountId } = row;
  return context.db.transaction().execute(async (trx) => {
    // The lock keeps two imports from creating the same list.
    await requireLockedAccount(trx, accountId);
    const existing = await listsByName(trx, accountId, [...names.keys()]);
    const ids = new Map(existing.map((list) => [listKey(list.name), list.audience_id]));
    if (!row.dry_run) {
      for (const [key, name] of names) {
        if (ids.has(key)) continue;
        const { audience_id: id } = await addList(trx, context, accountId, name, 'system').catch(throwIfTooMany);
        ids.set(key, id);
      }
    }
    const lists = Object.fromEntries(ids);
    const found = columns.map((column) => (column.meaning === 'list_names' ? { ...column, lists } : column));
    await importRuns.note(trx, run, { columns: JSON.stringify(found) });
    return found;
  });
}

function throwIfTooMany(error: unknown): never {
  if (error instanceof ApiError && error.code === 'conflict') {
    throw new ImportFailure('lists_not_created', undefined, { cause: error });
  }
  throw error;
}
