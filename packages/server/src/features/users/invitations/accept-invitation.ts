import type { AcceptInvitationBody, InvitationOffer } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, invalidField, conflict } from '#platform/errors/api-error.ts';
import type { Person } from '#platform/http/authentication/actor.ts';
import { findMember } from '../members/member-store.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { hashSecret } from '../secrets/secret.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import { beginSession } from '../sessions/sessions.ts';
import { putMembership } from '../store/membership-store.ts';
import { emailKey, findUserByEmail, insertUser } from '../store/user-store.ts';
import { findInvitation, takeInvitation, type InvitationRow } from './invitation-store.ts';

/** Returns what an invitation offers. Throws `invalid_link`. */
export async function lookUpInvitation(
  { db, now }: Pick<Context, 'db' | 'now'>,
  token: string,
): Promise<InvitationOffer> {
  const invitation = await findInvitation(db, hashSecret(token), now());
  if (invitation === undefined) throw new ApiError('invalid_link');
  return {
    account_id: invitation.account_id,
    account_name: invitation.account_name,
    email: invitation.email,
    role: invitation.role,
    has_user: (await findUserByEmail(db, invitation.email)) !== undefined,
    expires_at: invitation.expires_at.toISOString(),
  };
}

/**
 * Accepts an invitation once. A signed-in person (`person`) becomes a member. Otherwise a new user
 * is created and signed in. Returns the number of the user.
 *
 * Throws `invalid_link`, `other_person_invited` if the signed-in person has another address than the
 * invitation, `invalid_request` if name or password is missing, and `conflict` if the address has a
 * user who is not signed in, or if the person is a member already.
 */
export async function acceptInvitation(
  context: Context,
  request: CookieRequest,
  person: Person | undefined,
  body: AcceptInvitationBody,
): Promise<number> {
  const { db } = context;
  const tokenHash = hashSecret(body.token);
  const found = await findInvitation(db, tokenHash, context.now());
  if (found === undefined) throw new ApiError('invalid_link');
  if (person !== undefined && emailKey(person.email) !== found.email_key) throw new ApiError('other_person_invited');
  const newUser = person === undefined ? await newUserOf(context, found.email, body) : undefined;
  return db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, found.account_id);
    const invitation = await takeInvitation(trx, tokenHash, context.now());
    if (invitation === undefined) throw new ApiError('invalid_link');
    const memberId = person?.userId ?? (await insertUser(trx, newUser!, context.now()))?.user_id;
    if (memberId === undefined) throw hasUser();
    await addMember(trx, context, invitation, memberId);
    if (person === undefined) await beginSession(trx, context, request, { userId: memberId, method: 'link' });
    return memberId;
  });
}

/** Checks the fields of a new user, and hashes the password. */
async function newUserOf(
  { db, passwords }: Context,
  email: string,
  { name, password }: AcceptInvitationBody,
): Promise<Parameters<typeof insertUser>[1]> {
  if ((await findUserByEmail(db, email)) !== undefined) throw hasUser();
  if (name === undefined) throw invalidField('required', 'name', 'is required');
  if (password === undefined) throw invalidField('required', 'password', 'is required');
  requireGoodPassword(password, email);
  return { name, email, password_hash: await passwords.hash(password) };
}

async function addMember(
  trx: Database,
  context: Pick<Context, 'now'>,
  { account_id: accountId, invitation_id: id, role, unmasked }: InvitationRow,
  userId: number,
): Promise<void> {
  if ((await findMember(trx, accountId, userId)) !== undefined) {
    throw conflict('You are a member of this account already.');
  }
  await putMembership(trx, accountId, userId, { role, unmasked }, context.now());
  await writeAudit(trx, context, {
    accountId,
    actor: `user:${userId}`,
    action: 'member.add',
    subject: `user:${userId}`,
    details: { role, unmasked, invitation_id: id },
  });
}

function hasUser(): ApiError {
  return conflict('This address has a user already. Sign in, and open the link again.');
}
