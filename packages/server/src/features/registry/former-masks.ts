import type { Refusal } from './refusal.ts';
import type { DataMasking } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import type { NewAttribute } from './attribute-store.ts';
import { hidesLess, howToUnmask } from './masking.ts';

/**
 * The masks of former attribute names, by name.
 *
 * Clients may continue to send values under a name after its attribute was deleted or renamed. A
 * new attribute with this name would show these values. So it gets the former mask, unless an API
 * key with the scope `unmasked` sets another mask.
 */
export type FormerMasks = ReadonlyMap<string, DataMasking>;

/** SQL: the former masks of an account as a JSON object. Parameter 1 is the account. */
export const formerMasksSql = (table: string): string =>
  `(select json_object_agg(name, data_masking) from ${table} where account_id = $1)`;

/** Loads the former masks of an account. */
export async function loadFormerMasks(db: Database, accountId: number): Promise<FormerMasks> {
  const rows = await db
    .selectFrom('former_masks')
    .where('account_id', '=', accountId)
    .select(['name', 'data_masking'])
    .execute();
  return new Map(rows.map((row) => [row.name, row.data_masking]));
}

/** Stores the masks of names that attributes no longer have. Skips names without a mask. */
export async function rememberMasks(
  trx: Database,
  accountId: number,
  masks: ReadonlyMap<string, DataMasking>,
): Promise<void> {
  const rows = [...masks].flatMap(([name, data_masking]) =>
    data_masking === 'none' ? [] : { account_id: accountId, name, data_masking },
  );
  if (rows.length > 0) await trx.insertInto('former_masks').values(rows).execute();
}

/** Deletes the former masks of names in use again. The new attributes have their own masks. */
export async function forgetMasks(trx: Database, accountId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx.deleteFrom('former_masks').where('account_id', '=', accountId).where('name', 'in', names).execute();
}

/** Returns why an attribute cannot get a name that was masked before, or undefined if it can. */
export function formerMaskRefusal(
  masks: FormerMasks,
  { name, dataMasking = 'none' }: Pick<NewAttribute, 'name' | 'dataMasking'>,
  field: 'name' | 'new_name',
): Refusal | undefined {
  const former = masks.get(name) ?? 'none';
  if (!hidesLess(dataMasking, former)) return undefined;
  const message = `A masked attribute had the name ${name} before. Send data_masking ${former}, or ${howToUnmask}.`;
  return { code: 'attribute_masked', field, message };
}
