import { sql } from 'kysely';
import { databaseOn, type Database } from '../db/database.ts';
import { hasIdentity, type Contact } from './contact.ts';
import type { Write } from './save.ts';
import type { WorkingSet } from './working-set.ts';

/** An identity that a contact had before. */
export interface FormerKey {
  readonly contact_key: string;
  /** When it got another. */
  readonly changed_at: Date;
}

/** The statements that keep the identities that contacts of a batch give up, and forget those of contacts that it deletes. */
export function formerKeyWrites(accountId: number, { all }: WorkingSet): Write[] {
  const gone = all.filter((contact) => contact.deleted && contact.stored !== null);
  const renamed = all.filter((contact) => !contact.deleted && contact.stored !== null && hadAnother(contact));
  return [
    ...(gone.length === 0 ? [] : [write((trx) => remove(trx, accountId, gone))]),
    ...(renamed.length === 0 ? [] : [write((trx) => keep(trx, accountId, renamed))]),
  ];
}

/** The identities that a contact had before, oldest first. */
export async function formerKeys(db: Database, accountId: number, contactId: number): Promise<FormerKey[]> {
  return db
    .selectFrom('former_keys')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .select(['contact_key', 'changed_at'])
    .orderBy('changed_at')
    .execute();
}

function hadAnother({ key, stored }: Contact): boolean {
  return stored!.key !== key && hasIdentity(stored!);
}

function write(statement: (trx: Database) => Promise<unknown>): Write {
  return (client) => statement(databaseOn(client));
}

async function keep(trx: Database, accountId: number, contacts: readonly Contact[]): Promise<void> {
  await trx
    .insertInto('former_keys')
    .values(
      contacts.map(({ id, stored, updatedAt }) => ({
        account_id: accountId,
        contact_id: id,
        contact_key: stored!.key,
        changed_at: updatedAt!,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'contact_id', 'contact_key'])
        .doUpdateSet({ changed_at: sql`excluded.changed_at` }),
    )
    .execute();
}

async function remove(trx: Database, accountId: number, contacts: readonly Contact[]): Promise<void> {
  const ids = contacts.map(({ id }) => id);
  await sql`delete from former_keys where account_id = ${accountId} and contact_id = any (${ids}::bigint[])`.execute(
    trx,
  );
}
