import { Faults, type AttributeReference, type AttributeUsage } from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import { invalidRequest } from '#platform/errors/api-error.ts';
import { countIdentities, countValues, loadAttributeRows } from '#features/registry/attribute-store.ts';
import { findReferences } from './checks.ts';
import { attributeKey } from '#features/registry/registry.ts';
import { loadUsageScope, usesOf } from '../usage/usage.ts';

/**
 * Returns where attributes are used, in the order of the references. Aborting the signal cancels
 * the counting of their values.
 *
 * Throws `invalid_request` for an unknown attribute, and the errors of a search that waited or ran
 * too long; see `SearchQueue.run`.
 */
export async function usageOf(
  context: Context,
  accountId: number,
  references: readonly AttributeReference[],
  signal: AbortSignal,
): Promise<AttributeUsage[]> {
  const faults = new Faults();
  const found = await findReferences(context, accountId, references, faults);
  if (faults.count > 0) throw invalidRequest(faults.list);
  const rows = found.filter((row) => row !== undefined);
  const account = await requireAccount(context.db, accountId);
  const scope = await loadUsageScope(context, context.db, account, await loadAttributeRows(context.db, accountId));
  const keys = rows.map(({ attribute_id: id }) => attributeKey(accountId, id));
  // The values of the primary key are stored only as identities.
  const hasPrimaryKey = rows.some(({ name }) => name === account.primary_key);
  const { counts, identities } = await context.searches.run(accountId, signal, async (db) => ({
    counts: await countValues(db, accountId, keys),
    identities: hasPrimaryKey ? await countIdentities(db, accountId) : 0,
  }));
  return rows.map((row, index) => {
    const usage = usesOf(scope, row);
    return {
      name: row.name,
      in_use: usage.length > 0,
      contacts_with_value: row.name === account.primary_key ? identities : counts[index]!,
      usage,
    };
  });
}
