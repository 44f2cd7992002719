import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { deletePasskeysOf } from '../passkeys/passkey-store.ts';
import { deleteResetsOf } from '../password-resets/reset-store.ts';
import { deleteSecondFactor } from '../second-factor/authenticator-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { membershipsOf } from '../store/membership-store.ts';
import { updateUser } from '../store/user-store.ts';
import { deleteTokensOf } from '../tokens/token-store.ts';

/**
 * Ends every way to use a user that existed before its first single sign-on. Somebody else could
 * have created the user with this address, and would otherwise share the user with its owner. The
 * name and the memberships stay. Lock the user first.
 */
export async function endEarlierAccess(trx: Database, context: Pick<Context, 'now'>, userId: number): Promise<void> {
  await updateUser(trx, userId, { password_hash: null }, context.now());
  await deleteResetsOf(trx, userId);
  await deleteSessionsOf(trx, userId);
  await deleteTokensOf(trx, userId);
  await deletePasskeysOf(trx, userId);
  await deleteSecondFactor(trx, userId);
  for (const { account_id: accountId } of await membershipsOf(trx, userId)) {
    await writeAudit(trx, context, {
      accountId,
      actor: `user:${userId}`,
      action: 'member.link',
      subject: `user:${userId}`,
      details: { reason: 'single_sign_on' },
    });
  }
}
