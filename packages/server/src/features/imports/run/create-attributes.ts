import { attributesPerRequest } from '@roster/contract';
import { loadFormerMasks } from '#features/registry/former-masks.ts';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { acceptWith } from '#pipeline/accept/acceptor.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { ImportFailure } from '../store/import-failure.ts';

/**
 * Creates attributes for columns by `attribute.create` requests, and waits until they are applied.
 *
 * An attribute that already exists is not an error: an earlier run or another client created it. If
 * a masked attribute had this name before, the new attribute gets the same mask.
 *
 * Throws `attribute_not_created`.
 */
export async function createAttributes(
  context: Context,
  accountId: number,
  columns: readonly FoundColumn[],
  signal: AbortSignal,
): Promise<void> {
  const formerMasks = await loadFormerMasks(context.db, accountId);
  for (let from = 0; from < columns.length; from += attributesPerRequest) {
    const attributes = columns.slice(from, from + attributesPerRequest).map(({ name, new_type }) => ({
      name: name!,
      data_type: new_type!,
      data_masking: formerMasks.get(name!) ?? 'none',
    }));
    const requestId = context.newId();
    const payload = { attributes, actor: 'operator' as const, unmasked: false };
    await acceptWith(
      context,
      [{ accountId, requestId, operation: 'attribute.create', payload, total: attributes.length }],
      async () => undefined,
    );
    // No timeout: many requests of the account, such as other imports, can be ahead of this one.
    const { failures } = await awaitResult(context, { accountId, requestId }, { signal, timeout: Infinity });
    const failure = failures.find(({ code }) => code !== 'attribute_exists');
    if (failure !== undefined) throw new ImportFailure('attribute_not_created', failure.message);
  }
}
