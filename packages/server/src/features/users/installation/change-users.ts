import type { UpdateUserBody } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { type ApiError, notFound, conflict } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { lastOwner } from '../members/member-rules.ts';
import { hasOtherOwner } from '../members/member-store.ts';
import { deleteSecondFactor } from '../second-factor/authenticator-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { membershipsOf } from '../store/membership-store.ts';
import { findUser, updateUser } from '../store/user-store.ts';
import { findListedUser, type UserListRow } from './user-list.ts';

declare module '#platform/feature.ts' {
  interface Feature {
    /** Deletes what belongs to a user only, in the transaction that deletes the user. */
    readonly onDeleteUser?: (trx: Database, userId: number) => Promise<void>;
  }
}

/**
 * Disables or enables a user, or changes whether the user is an installation administrator. Throws
 * `not_found`, and `conflict` for the last administrator.
 */
export async function changeUser({ db, now }: Context, userId: number, body: UpdateUserBody): Promise<UserListRow> {
  return db.transaction().execute(async (trx) => {
    const adminIds = await lockAdministrators(trx);
    const before = await findListedUser(trx, userId);
    if (before === undefined) throw unknownUser(userId);
    const isDisabled = body.is_disabled ?? before.disabled_at !== null;
    const isAdmin = body.is_installation_admin ?? before.is_installation_admin;
    if (isDisabled || !isAdmin) requireOtherAdministrator(adminIds, userId);
    const disabledAt = isDisabled ? (before.disabled_at ?? now()) : null;
    await updateUser(trx, userId, { disabled_at: disabledAt, is_installation_admin: isAdmin }, now());
    if (isDisabled) await deleteSessionsOf(trx, userId);
    return (await findListedUser(trx, userId))!;
  });
}

/**
 * Deletes a user with everything that belongs to the user only. Throws `not_found`, and `conflict`
 * for the caller, the last owner of an account, and the last administrator.
 */
export async function deleteUser(context: Context, actor: Actor, userId: number): Promise<void> {
  if (actor.person?.userId === userId) throw conflict('You cannot delete your own user. Ask another administrator.');
  await context.db.transaction().execute(async (trx) => {
    // Changes of members lock the account, so the roles cannot change meanwhile.
    const locked = await membershipsOf(trx, userId);
    for (const { account_id: accountId } of locked) await requireLockedAccount(trx, accountId);
    requireOtherAdministrator(await lockAdministrators(trx), userId);
    for (const { account_id: accountId, role } of await membershipsOf(trx, userId)) {
      if (!locked.some(({ account_id: id }) => id === accountId)) {
        throw conflict('The user has just become a member of another account. Try again.');
      }
      if (role === 'owner' && !(await hasOtherOwner(trx, accountId, userId))) throw lastOwner(accountId);
      await writeAudit(trx, context, {
        accountId,
        actor: actor.author,
        action: 'member.remove',
        subject: `user:${userId}`,
        details: { role, reason: 'user_deleted' },
      });
    }
    for (const { onDeleteUser } of context.features) await onDeleteUser?.(trx, userId);
    const { numDeletedRows } = await trx.deleteFrom('users').where('user_id', '=', userId).executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw unknownUser(userId);
  });
}

/** Ends all sessions of a user. Throws `not_found`. */
export async function endSessionsOf({ db }: Pick<Context, 'db'>, userId: number): Promise<void> {
  if ((await findUser(db, userId)) === undefined) throw unknownUser(userId);
  await deleteSessionsOf(db, userId);
}

/**
 * Removes the authenticator app of a user who has lost it, and ends all sessions of the user. Throws
 * `not_found`.
 */
export async function removeSecondFactorOf({ db }: Pick<Context, 'db'>, userId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await findUser(trx, userId)) === undefined) throw unknownUser(userId);
    await deleteSecondFactor(trx, userId);
    await deleteSessionsOf(trx, userId);
  });
}

/** Locks the administrators in one order, so that two of them cannot both lower each other. */
async function lockAdministrators(trx: Database): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .where('is_installation_admin', '=', true)
    .where('disabled_at', 'is', null)
    .select('user_id')
    .orderBy('user_id')
    .forUpdate()
    .execute();
  return rows.map(({ user_id: id }) => id);
}

function requireOtherAdministrator(adminIds: readonly number[], userId: number): void {
  if (adminIds.length === 1 && adminIds[0] === userId) {
    throw conflict('This is the last installation administrator. Make somebody else one first.');
  }
}

function unknownUser(userId: number): ApiError {
  return notFound(`user ${userId}`);
}
