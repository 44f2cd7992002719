import type { CompletePasswordResetBody } from '@roster/contract';
import { createMail, installationMails } from '#features/mails/mails.ts';
import { publicUrlOf } from '#platform/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { hour } from '#platform/time/intervals.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { hashSecret, newSecret, type NewSecret } from '../secrets/secret.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { findUser, findUserByEmail, lockUser, updateUser, type UserRow } from '../store/user-store.ts';
import { deleteResetsOf } from './reset-store.ts';

/** Milliseconds for which a link works. */
const resetLifetime = hour;

/**
 * Sends a link that sets a new password, if the address has a user and there is a mail server. The
 * result does not tell whether it has. For an unknown address, the same statements run and are
 * rolled back, so that the time does not tell it either. Throws `too_many_sign_ins`.
 */
export async function requestPasswordReset(context: Context, address: string, email: string): Promise<void> {
  const { config, db, signInLimits } = context;
  // Also limits the mails that one person gets.
  await signInLimits.begin({ address, subject: `reset:${email}` });
  if (config.smtpServer === undefined) return;
  const found = await findUserByEmail(db, email);
  const user = found?.disabled_at === null ? found : undefined;
  await db
    .transaction()
    .execute(async (trx) => {
      const { text, hash } = newSecret();
      const expiresAt = await insertReset(trx, context, user?.user_id, hash);
      const data = { name: user?.name ?? '', url: resetLink(publicUrlOf(config), text), expiresAt, timeZone: 'UTC' };
      // Not to the given spelling: a mail server may have another mailbox for it.
      const to = user?.email ?? email;
      await createMail(trx, context, { accountId: installationMails, to, template: 'password_reset', data });
      if (user === undefined) throw new NothingToSend();
    })
    .catch((error: unknown) => {
      if (!(error instanceof NothingToSend)) throw error;
    });
}

/**
 * Makes a link that sets a new password, for an operator who gives it to the person. Returns
 * undefined if the address has no user. `baseUrl` is the address of the service.
 */
export async function newPasswordResetLink(
  context: Pick<Context, 'db' | 'now'>,
  baseUrl: string,
  email: string,
): Promise<string | undefined> {
  const user = await findUserByEmail(context.db, email);
  if (user === undefined) return undefined;
  const { text, hash }: NewSecret = newSecret();
  await context.db.transaction().execute((trx) => insertReset(trx, context, user.user_id, hash));
  return resetLink(baseUrl, text);
}

/**
 * Sets a new password by a link, and ends all sessions of the person. Throws `invalid_link` and
 * `invalid_request`.
 */
export async function completePasswordReset(
  context: Context,
  { token, password }: CompletePasswordResetBody,
): Promise<void> {
  const { db, now, passwords, signInLimits } = context;
  const tokenHash = hashSecret(token);
  const user = await userOfReset(db, tokenHash, now());
  if (user === undefined) throw new ApiError('invalid_link');
  requireGoodPassword(password, user.email);
  const hash = await passwords.hash(password);
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, user.user_id);
    // Only one of several requests at the same time finds the link.
    const { numDeletedRows } = await trx
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new ApiError('invalid_link');
    await deleteResetsOf(trx, user.user_id);
    await updateUser(trx, user.user_id, { password_hash: hash }, now());
    await deleteSessionsOf(trx, user.user_id);
  });
  await signInLimits.forget(user.email);
}

/** Deletes the links that have expired. */
export async function forgetOldResets({ db, now }: Context): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now()).execute();
}

class NothingToSend extends Error {}

/** Stores a link. Without a user, it does the same work and stores nothing. */
async function insertReset(
  trx: Database,
  { now }: Pick<Context, 'now'>,
  userId: number | undefined,
  hash: Buffer,
): Promise<Date> {
  const at = now();
  const expiresAt = new Date(at.getTime() + resetLifetime);
  await trx
    .insertInto('password_resets')
    .columns(['token_hash', 'user_id', 'created_at', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .where('user_id', '=', userId ?? 0)
        .select([
          eb.cast<Buffer>(eb.val(hash), 'bytea').as('token_hash'),
          'user_id',
          eb.cast<Date>(eb.val(at), 'timestamptz').as('created_at'),
          eb.cast<Date>(eb.val(expiresAt), 'timestamptz').as('expires_at'),
        ]),
    )
    .execute();
  return expiresAt;
}

async function userOfReset(db: Database, tokenHash: Buffer, now: Date): Promise<UserRow | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .select('user_id')
    .executeTakeFirst();
  return row === undefined ? undefined : findUser(db, row.user_id);
}

function resetLink(baseUrl: string, token: string): string {
  return `${baseUrl}/console/new-password#token=${token}`;
}
