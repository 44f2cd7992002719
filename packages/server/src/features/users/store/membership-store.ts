import type { Role } from '@roster/contract';
import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `memberships` with the name of its account. */
export interface AccountMembershipRow extends Pick<Selectable<Tables['memberships']>, 'account_id' | 'unmasked'> {
  readonly role: Role;
  readonly name: string;
}

/**
 * Loads the accounts in which a user has a role, in the order of their ids. An account that is being
 * deleted does not count.
 */
export async function membershipsOf(db: Database, userId: number): Promise<AccountMembershipRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .where('memberships.user_id', '=', userId)
    .where('accounts.deleted_at', 'is', null)
    .select(['memberships.account_id', 'memberships.role', 'memberships.unmasked', 'accounts.name'])
    .orderBy('memberships.account_id')
    .execute();
}

/** Gives a user a role in an account, or replaces the role. */
export async function putMembership(
  trx: Database,
  accountId: number,
  userId: number,
  { role, unmasked }: { readonly role: Role; readonly unmasked: boolean },
  at: Date,
): Promise<void> {
  await trx
    .insertInto('memberships')
    .values({ account_id: accountId, user_id: userId, role, unmasked, created_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role, unmasked }))
    .execute();
}

/** Loads the ids of all accounts that are not being deleted. */
export async function allAccountIds(db: Database): Promise<number[]> {
  const existing = db.selectFrom('accounts').where('deleted_at', 'is', null);
  const rows = await existing.select('account_id').orderBy('account_id').execute();
  return rows.map(({ account_id: id }) => id);
}
