import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { lockUser } from './user-store.ts';

/**
 * Locks the user of a session until the transaction ends, and checks that the session still exists.
 * A request that waited while all access of the user was ended must not add a new password, token
 * or passkey afterwards. Throws `confirmation_required`.
 */
export async function lockUserOfSession(
  trx: Database,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
): Promise<void> {
  await lockUser(trx, userId);
  const session = await trx
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .select('session_id')
    .executeTakeFirst();
  if (session === undefined) throw confirmationRequired();
}

/** Makes the error for a sensitive change without a recent sign-in. */
export function confirmationRequired(): ApiError {
  const message = 'needs a recent sign-in';
  return new ApiError('confirmation_required', { faults: [{ code: 'confirmation_required', field: '', message }] });
}
