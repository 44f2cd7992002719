import type { Database } from '#platform/database/connection/database.ts';

/** How many contacts have a value, by attribute_id. Attributes without a value are left out. */
export type AttributeFills = ReadonlyMap<number, number>;

/**
 * Loads how many contacts have a value of each attribute of an account. A custom primary key is
 * stored as the identity, so its number is that of the contacts with an identity.
 */
export async function loadFills(db: Database, accountId: number): Promise<AttributeFills> {
  const rows = await db
    .selectFrom('attribute_fills')
    .where('account_id', '=', accountId)
    .select(['attribute_id', 'filled'])
    .execute();
  const fills = new Map(rows.map((row) => [row.attribute_id, row.filled]));
  const primaryKey = await db
    .selectFrom('accounts as a')
    .innerJoin('attributes as k', (join) =>
      join.onRef('k.account_id', '=', 'a.account_id').onRef('k.name', '=', 'a.primary_key'),
    )
    .leftJoin('contact_totals as t', 't.account_id', 'a.account_id')
    .where('a.account_id', '=', accountId)
    .select(['k.attribute_id', 't.identities'])
    .executeTakeFirst();
  if (primaryKey !== undefined) fills.set(primaryKey.attribute_id, primaryKey.identities ?? 0);
  return fills;
}
