import type { SignInAnswer, SignInBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { hasAuthenticatorApp } from '../second-factor/authenticator-store.ts';
import { checkSecondFactor } from '../second-factor/second-factor.ts';
import { signInSubject, type Attempt } from '../limits/sign-in-limits.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import { beginSession } from '../sessions/sessions.ts';
import { findUserByEmail, lockUser, updateUser, type UserRow } from '../store/user-store.ts';
import { signInFailed } from './sign-in-failed.ts';
import { beginStep, endStep, readStep } from './steps.ts';

/**
 * Signs a person in with a password, or begins the second step if the person has an authenticator
 * app. Throws `sign_in_failed` and `too_many_sign_ins`.
 *
 * An unknown address costs the same work as a wrong password.
 */
export async function signInWithPassword(
  context: Context,
  request: CookieRequest,
  { email, password }: SignInBody,
): Promise<SignInAnswer> {
  const { db, now, passwords, signInLimits } = context;
  const attempt: Attempt = { address: request.incoming.ip, subject: signInSubject(email) };
  await signInLimits.begin(attempt);
  const user = await findUserByEmail(db, email);
  const verdict = await passwords.verify(password, user?.password_hash);
  if (user === undefined || verdict === 'wrong' || user.disabled_at !== null) throw signInFailed();
  await signInLimits.succeed(attempt);
  const newHash = verdict === 'outdated' ? await passwords.hash(password) : undefined;
  return db.transaction().execute(async (trx) => {
    // Locked, so that no session begins after the user was disabled or got another password.
    const current = await lockUser(trx, user.user_id);
    if (current?.password_hash !== user.password_hash) throw signInFailed();
    if (newHash !== undefined) await updateUser(trx, user.user_id, { password_hash: newHash }, now());
    if (await hasAuthenticatorApp(trx, user.user_id)) {
      await beginStep(trx, context, request, { kind: 'second_factor', userId: user.user_id, data: {} });
      return { status: 'second_factor' };
    }
    await beginSessionOf(trx, context, request, current);
    return { status: 'signed_in' };
  });
}

/**
 * Completes a sign-in with a code of the authenticator app or a recovery code. Throws
 * `sign_in_failed`, `sign_in_expired` and `too_many_sign_ins`.
 */
export async function signInWithCode(context: Context, request: CookieRequest, code: string): Promise<SignInAnswer> {
  const { db, signInLimits } = context;
  const { userId } = await readStep(context, request, 'second_factor');
  const attempt: Attempt = { address: request.incoming.ip, subject: `code:${userId}` };
  await signInLimits.begin(attempt);
  await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId!);
    if (!(await checkSecondFactor(trx, context, userId!, code))) throw signInFailed();
    await endStep(trx, context, request, 'second_factor');
    await beginSessionOf(trx, context, request, user);
  });
  await signInLimits.succeed(attempt);
  return { status: 'signed_in' };
}

/** Begins the session of a user who signed in with a password. Throws `sign_in_failed` if the user is disabled or unknown. */
async function beginSessionOf(
  trx: Parameters<typeof beginSession>[0],
  context: Context,
  request: CookieRequest,
  user: UserRow | undefined,
): Promise<number> {
  if (user === undefined || user.disabled_at !== null) throw signInFailed();
  return beginSession(trx, context, request, { userId: user.user_id, method: 'password' });
}
