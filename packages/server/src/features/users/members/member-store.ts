import type { Role } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** Facts about a user that lists of people show. */
export const userFacts = [
  sql<boolean>`exists (select 1 from authenticator_apps a where a.user_id = users.user_id and a.confirmed_at is not null)
    or exists (select 1 from passkeys p where p.user_id = users.user_id)`.as('has_second_factor'),
  sql<Date | null>`(select max(s.last_seen_at) from sessions s where s.user_id = users.user_id)`.as('last_seen_at'),
] as const;

/** A member of an account, with facts about the user. */
export interface MemberRow {
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly unmasked: boolean;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
  readonly has_second_factor: boolean;
  readonly last_seen_at: Date | null;
}

function members(db: Database, accountId: number) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.user_id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .select([
      'users.user_id',
      'users.name',
      'users.email',
      'users.disabled_at',
      'memberships.role',
      'memberships.unmasked',
      'memberships.created_at',
      ...userFacts,
    ]);
}

/** Lists the members of an account with numbers greater than `after`. */
export async function listMembers(db: Database, accountId: number, after: number, limit: number): Promise<MemberRow[]> {
  return members(db, accountId).where('users.user_id', '>', after).orderBy('users.user_id').limit(limit).execute();
}

/** Finds a member of an account. */
export async function findMember(db: Database, accountId: number, userId: number): Promise<MemberRow | undefined> {
  return members(db, accountId).where('users.user_id', '=', userId).executeTakeFirst();
}

/** Returns whether an account has a member with an address. */
export async function hasMemberWithEmail(db: Database, accountId: number, emailKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.user_id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .where('users.email_key', '=', emailKey)
    .select('users.user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether an account has an owner other than a user. Disabled owners do not count. */
export async function hasOtherOwner(trx: Database, accountId: number, userId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.user_id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .where('memberships.user_id', '!=', userId)
    .where('users.disabled_at', 'is', null)
    .select('memberships.user_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a membership. */
export async function deleteMembership(trx: Database, accountId: number, userId: number): Promise<void> {
  await trx.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}
