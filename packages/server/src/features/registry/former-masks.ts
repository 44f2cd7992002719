import type { Refusal } from './refusal.ts';
import type { DataMasking } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import type { NewAttribute } from './attribute-store.ts';
import { hidesLess } from './masks.ts';

/**
 * The masks of names that no attribute has any more, by name.
 *
 * Clients go on sending values under a name after its attribute was deleted or renamed. An attribute that takes the name again would show
 * these values, so it gets the former mask unless a key with the scope `unmasked` says otherwise.
 */
export type FormerMasks = ReadonlyMap<string, DataMasking>;

/** The former masks of the account that the expression `account` names, as one JSON object; null when there are none. */
export function formerMasksSql(account: string): string {
  return `(select json_object_agg(name, data_masking) from former_masks where account_id = ${account})`;
}

/** Reads the former masks of an account. */
export async function loadFormerMasks(db: Database, accountId: number): Promise<FormerMasks> {
  const rows = await db
    .selectFrom('former_masks')
    .where('account_id', '=', accountId)
    .select(['name', 'data_masking'])
    .execute();
  return new Map(rows.map((row) => [row.name, row.data_masking]));
}

/** Remembers the masks of names that attributes give up; names without a mask are left out. */
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

/** Forgets the masks of names that attributes have taken: from now on the attributes say how they are masked. */
export async function forgetMasks(trx: Database, accountId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await trx.deleteFrom('former_masks').where('account_id', '=', accountId).where('name', 'in', names).execute();
}

/** Why an attribute cannot take a name that a masked attribute had; undefined when it is masked as much. */
export function formerMaskRefusal(
  masks: FormerMasks,
  { name, dataMasking = 'none' }: Pick<NewAttribute, 'name' | 'dataMasking'>,
  field: 'name' | 'new_name',
): Refusal | undefined {
  const former = masks.get(name) ?? 'none';
  if (!hidesLess(dataMasking, former)) return undefined;
  const message = `A masked attribute had the name ${name} before. Send data_masking ${former}, or use an API key with the scope unmasked.`;
  return { code: 'attribute_masked', field, message };
}
