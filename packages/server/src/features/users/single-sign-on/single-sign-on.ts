import { isEmail } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { CookieRequest } from '../sessions/cookies.ts';
import { beginSession } from '../sessions/sessions.ts';
import { beginStep, endStep } from '../sign-in/steps.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { allAccountIds, putMembership } from '../store/membership-store.ts';
import { findUserByEmail, insertUser, lockUser, type UserRow } from '../store/user-store.ts';
import { takeInvitationsTo } from '../invitations/invitation-store.ts';
import { findMember } from '../members/member-store.ts';
import { endEarlierAccess } from './end-earlier-access.ts';
import { applyGroupRights, rightsOfGroups } from './group-rights.ts';
import type { Claims, Handshake, IdentityProvider } from './provider.ts';
import { SignInRefusal } from './refusal.ts';

/** Begins a sign-in with the identity provider. Returns the address at the provider. */
export async function beginSingleSignOn(
  context: Context,
  request: CookieRequest,
  provider: IdentityProvider,
  returnTo: string,
): Promise<URL> {
  const { address, handshake } = await provider.begin().catch((cause: unknown) => {
    throw new SignInRefusal('away', { cause });
  });
  const data = { ...handshake, return_to: returnTo };
  await beginStep(context.db, context, request, { kind: 'single_sign_on', userId: undefined, data });
  return address;
}

/**
 * Ends a sign-in with the identity provider, and begins a session. Returns where the person wanted
 * to go. Throws a {@link SignInRefusal}.
 */
export async function endSingleSignOn(
  context: Context,
  request: CookieRequest,
  provider: IdentityProvider,
  query: string,
): Promise<string> {
  const { db } = context;
  const { data } = await endStep(db, context, request, 'single_sign_on').catch((cause: unknown) => {
    throw cause instanceof ApiError ? new SignInRefusal('expired', { cause }) : cause;
  });
  const handshake = data as unknown as Handshake & { readonly return_to: string };
  const claims = await provider.end(query, handshake).catch((cause: unknown) => {
    throw new SignInRefusal('invalid', { cause });
  });
  await db.transaction().execute(async (trx) => {
    const linkedId = await findLinkedUser(trx, claims);
    const { userId, isEarlierUser } =
      linkedId === undefined ? await linkUser(trx, context, claims) : { userId: linkedId, isEarlierUser: false };
    await applyGroupRights(trx, context, userId, claims.groups);
    const user = await lockUser(trx, userId);
    if (user === undefined || user.disabled_at !== null) throw new SignInRefusal('disabled');
    if (isEarlierUser) await endEarlierAccess(trx, context, userId);
    await beginSession(trx, context, request, { userId, method: 'single_sign_on' });
  });
  return handshake.return_to;
}

async function findLinkedUser(trx: Database, { issuer, subject }: Claims): Promise<number | undefined> {
  const row = await trx
    .selectFrom('single_sign_on_subjects')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .select('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Finds or creates the user of a first sign-in. An address that the provider has not verified could
 * belong to somebody else, so it is refused. `isEarlierUser`: the user existed before.
 */
async function linkUser(
  trx: Database,
  context: Context,
  claims: Claims,
): Promise<{ readonly userId: number; readonly isEarlierUser: boolean }> {
  const { email } = claims;
  if (email === undefined || !isEmail(email)) throw new SignInRefusal('unverified');
  const isLinkAllowed = context.config.oidcLinkByEmail === 'true';
  const existing = await findUserByEmail(trx, email);
  if (existing !== undefined && !isLinkAllowed) throw new SignInRefusal('taken');
  const { issuer, subject } = claims;
  const user = existing ?? (await addUser(trx, context, { ...claims, email }, isLinkAllowed));
  await trx
    .insertInto('single_sign_on_subjects')
    .values({ issuer, subject, user_id: user.user_id, created_at: context.now() })
    .execute();
  return { userId: user.user_id, isEarlierUser: existing !== undefined };
}

/** Creates a user who has an invitation, or a role by its groups. */
async function addUser(
  trx: Database,
  context: Context,
  { email, name, groups }: Claims & { readonly email: string },
  mayUseInvitation: boolean,
): Promise<UserRow> {
  const { config, now } = context;
  const at = now();
  const invitations = mayUseInvitation ? await takeInvitationsTo(trx, email, at) : [];
  const hasGroup = [...rightsOfGroups(config.oidcRoles, groups, await allAccountIds(trx)).values()].some(
    (rights) => rights !== undefined,
  );
  if (invitations.length === 0 && !hasGroup) throw new SignInRefusal('unknown');
  const user = await insertUser(trx, { name: name ?? email.split('@')[0]!, email, password_hash: null }, at);
  if (user === undefined) throw new SignInRefusal('taken');
  for (const { account_id: accountId, role, unmasked } of invitations) {
    if ((await findMember(trx, accountId, user.user_id)) !== undefined) continue;
    await putMembership(trx, accountId, user.user_id, { role, unmasked }, at);
    await writeAudit(trx, context, {
      accountId,
      actor: `user:${user.user_id}`,
      action: 'member.add',
      subject: `user:${user.user_id}`,
      details: { role, unmasked, reason: 'single_sign_on' },
    });
  }
  return user;
}
