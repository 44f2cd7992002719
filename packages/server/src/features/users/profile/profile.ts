import type { ChangePasswordBody, ConfirmationBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { FastifyRequest } from 'fastify';
import { signInSubject, type Attempt } from '../limits/sign-in-limits.ts';
import { deleteResetsOf } from '../password-resets/reset-store.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { confirmSession, deleteSessionsOf } from '../sessions/session-store.ts';
import { confirmationFailed } from '../sign-in/sign-in-failed.ts';
import { lockUserOfSession } from '../store/lock-session.ts';
import { findUser, updateUser } from '../store/user-store.ts';
import type { SessionPerson } from './requirements.ts';

/**
 * Confirms by the password or by a code that the person of a session is still there. Throws
 * `confirmation_failed` and `too_many_sign_ins`.
 */
export async function confirmPerson(
  context: Context,
  incoming: FastifyRequest,
  { userId, email, sessionId }: SessionPerson,
  { password, code }: ConfirmationBody,
): Promise<void> {
  const { db, now, passwords, signInLimits } = context;
  const attempt: Attempt = {
    address: incoming.ip,
    subject: password === undefined ? `code:${userId}` : signInSubject(email),
  };
  await signInLimits.begin(attempt);
  const isRight =
    password === undefined
      ? await db.transaction().execute((trx) => checkSecondFactor(trx, context, userId, code ?? ''))
      : (await passwords.verify(password, (await findUser(db, userId))?.password_hash)) !== 'wrong';
  if (!isRight) throw confirmationFailed();
  await signInLimits.succeed(attempt);
  await confirmSession(db, sessionId, now());
}

/** Sets a new password, and ends all other sessions. Throws `invalid_request`. */
export async function changePassword(
  { db, now, passwords }: Context,
  { userId, email, sessionId }: SessionPerson,
  { new_password: password }: ChangePasswordBody,
): Promise<void> {
  requireGoodPassword(password, email, 'new_password');
  const hash = await passwords.hash(password);
  await db.transaction().execute(async (trx) => {
    await lockUserOfSession(trx, { userId, sessionId });
    await updateUser(trx, userId, { password_hash: hash }, now());
    await deleteSessionsOf(trx, userId, sessionId);
    await deleteResetsOf(trx, userId);
  });
}
