import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import { addressMatches, type AddressColumn } from '#features/registry/stored-addresses.ts';
import { valuesOf, kindOfKey, keyIdentifier, type Identifier } from '#features/contacts/model/identifiers.ts';

/** The contact that identifiers belong to. */
export interface IdentifierOwner {
  readonly accountId: number;
  readonly primaryKey: string;
  /** Number of the contact. The contact may be deleted. */
  readonly contactId: number;
}

/**
 * Returns the identifiers that other contacts have now. Families share addresses, and another
 * contact can take an identity that its owner gave up.
 */
export async function identifiersOfOthers(
  db: Database,
  { accountId, primaryKey, contactId }: IdentifierOwner,
  identifiers: Iterable<Identifier>,
): Promise<Identifier[]> {
  const all = [...identifiers];
  const keys = valuesOf(all, kindOfKey(primaryKey));
  const { rows } = await sql<{ kind: 'key' | 'email' | 'mobile'; value: string }>`
    select 'key' as kind, wanted.value from unnest(${keys}::text[]) as wanted (value) where exists (
      select 1 from contacts c where c.account_id = ${opaqueAccount(accountId)} and c.contact_key = wanted.value and c.contact_id <> ${contactId})
    union
    select 'email', wanted.value from unnest(${valuesOf(all, 'email')}::text[]) as wanted (value) where exists (
      select 1 from contacts c where c.account_id = ${opaqueAccount(accountId)} and ${isWanted('email')}
        and c.contact_id <> ${contactId})
    union
    select 'mobile', wanted.value from unnest(${valuesOf(all, 'mobile')}::text[]) as wanted (value) where exists (
      select 1 from contacts c where c.account_id = ${opaqueAccount(accountId)} and ${isWanted('mobile')}
        and c.contact_id <> ${contactId})`.execute(db);
  return rows.map(({ kind, value }) =>
    kind === 'key' ? keyIdentifier(primaryKey, value) : (`${kind}:${value}` as const),
  );
}

function isWanted(column: AddressColumn): RawBuilder<SqlBool> {
  return addressMatches(column, (comparable) => sql`${comparable} = wanted.value`, 'c');
}

/** Returns the identifiers that no other contact has now. */
export async function ownIdentifiers(
  db: Database,
  owner: IdentifierOwner,
  identifiers: readonly Identifier[],
): Promise<Identifier[]> {
  const held = new Set(await identifiersOfOthers(db, owner, identifiers));
  return identifiers.filter((identifier) => !held.has(identifier));
}
