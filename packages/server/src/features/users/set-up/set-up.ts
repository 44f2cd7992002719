import type { SetUpBody } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { lockFirstStart } from '#features/accounts/store/account-store.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { hashSecret, newSecret } from '../secrets/secret.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import { beginSession } from '../sessions/sessions.ts';
import { allAccountIds, putMembership } from '../store/membership-store.ts';
import { hasUsers, insertUser, type NewUser } from '../store/user-store.ts';

/**
 * Makes the token of the link that creates the first owner, and ends the link before. Returns
 * undefined when there is a user already.
 */
export async function newSetUpToken({ db, now }: Pick<Context, 'db' | 'now'>): Promise<string | undefined> {
  const { text, hash } = newSecret();
  return db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    if (await hasUsers(trx)) return undefined;
    const values = { token_hash: hash, created_at: now() };
    await trx
      .insertInto('set_up_links')
      .values(values)
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(values))
      .execute();
    return text;
  });
}

/**
 * Creates the first owner with the link, and begins a session. Throws `invalid_link`, also when
 * there is an owner.
 */
export async function setUp(
  context: Context,
  request: CookieRequest,
  { token, name, email, password }: SetUpBody,
): Promise<{ readonly userId: number; readonly sessionId: number }> {
  const { db, passwords } = context;
  requireGoodPassword(password, email);
  // Checked before the expensive hash, and again in the transaction.
  if (!(await isSetUpToken(db, token))) throw new ApiError('invalid_link');
  const passwordHash = await passwords.hash(password);
  return db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    if (!(await isSetUpToken(trx, token))) throw new ApiError('invalid_link');
    const userId = await addFirstOwner(trx, context, { name, email, password_hash: passwordHash });
    if (userId === undefined) throw new ApiError('invalid_link');
    return { userId, sessionId: await beginSession(trx, context, request, { userId, method: 'link' }) };
  });
}

/**
 * Creates the owner of all accounts, who is also the installation administrator. The owner sees
 * unmasked values, because nobody else could grant this. Returns undefined when there is a user
 * already. The caller holds the lock of the first start.
 */
async function addFirstOwner(
  trx: Database,
  context: Pick<Context, 'now'>,
  user: Omit<NewUser, 'is_installation_admin'>,
): Promise<number | undefined> {
  if (await hasUsers(trx)) return undefined;
  const at = context.now();
  const made = await insertUser(trx, { ...user, is_installation_admin: true }, at);
  if (made === undefined) return undefined;
  const userId = made.user_id;
  for (const accountId of await allAccountIds(trx)) {
    await putMembership(trx, accountId, userId, { role: 'owner', unmasked: true }, at);
    await writeAudit(trx, context, {
      accountId,
      actor: 'system',
      action: 'member.add',
      subject: `user:${userId}`,
      details: { role: 'owner', unmasked: true },
    });
  }
  await trx.deleteFrom('set_up_links').execute();
  return userId;
}

/** Creates the first owner from `ROSTER_OWNER_EMAIL` and `ROSTER_OWNER_PASSWORD`, if both are set. */
export async function ensureConfiguredOwner(
  context: Pick<Context, 'config' | 'db' | 'now' | 'passwords'>,
): Promise<void> {
  const { config, db, passwords } = context;
  const { ownerEmail: email, ownerPassword: password } = config;
  if (email === undefined || password === undefined || (await hasUsers(db))) return;
  requireGoodPassword(password, email, 'ROSTER_OWNER_PASSWORD');
  const passwordHash = await passwords.hash(password);
  await db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    await addFirstOwner(trx, context, { name: email.split('@')[0]!, email, password_hash: passwordHash });
  });
}

async function isSetUpToken(db: Database, token: string): Promise<boolean> {
  const row = await db
    .selectFrom('set_up_links')
    .where('token_hash', '=', hashSecret(token))
    .select('created_at')
    .executeTakeFirst();
  return row !== undefined;
}
