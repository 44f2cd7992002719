import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import { valuesOf, kindOfKey, keyIdentifier, type Identifier } from '#features/contacts/model/identifiers.ts';

/** Whose identifiers. */
export interface IdentifierOwner {
  readonly accountId: number;
  readonly primaryKey: string;
  /** The contact whose own they are; it may be gone. */
  readonly contactId: number;
}

/** Those of some identifiers that other contacts have now: families share addresses, and an identity can be given up and taken. */
export async function heldByOthers(
  db: Database,
  { accountId, primaryKey, contactId }: IdentifierOwner,
  identifiers: Iterable<Identifier>,
): Promise<Identifier[]> {
  const all = [...identifiers];
  const keys = valuesOf(all, kindOfKey(primaryKey));
  const { rows } = await sql<{ kind: 'key' | 'email' | 'mobile'; value: string }>`
    select 'key' as kind, wanted.value from unnest(${keys}::text[]) as wanted (value) where exists (
      select from contacts c where c.account_id = ${opaqueAccount(accountId)} and c.contact_key = wanted.value and c.contact_id <> ${contactId})
    union
    select 'email', wanted.value from unnest(${valuesOf(all, 'email')}::text[]) as wanted (value) where exists (
      select from contacts c where c.account_id = ${opaqueAccount(accountId)} and c.email is not null and lower(c.email) = wanted.value
        and c.contact_id <> ${contactId})
    union
    select 'mobile', wanted.value from unnest(${valuesOf(all, 'mobile')}::text[]) as wanted (value) where exists (
      select from contacts c where c.account_id = ${opaqueAccount(accountId)} and c.mobile = wanted.value and c.contact_id <> ${contactId})`.execute(
    db,
  );
  return rows.map(({ kind, value }) =>
    kind === 'key' ? keyIdentifier(primaryKey, value) : (`${kind}:${value}` as const),
  );
}

/** Those of some identifiers that no other contact has. */
export async function ownIdentifiers(
  db: Database,
  owner: IdentifierOwner,
  identifiers: readonly Identifier[],
): Promise<Identifier[]> {
  const held = new Set(await heldByOthers(db, owner, identifiers));
  return identifiers.filter((identifier) => !held.has(identifier));
}
