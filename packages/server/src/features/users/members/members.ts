import type { Member, UpdateMemberBody } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { notFound } from '#platform/errors/api-error.ts';
import type { Actor, Person } from '#platform/http/authentication/actor.ts';
import { putMembership } from '../store/membership-store.ts';
import { lastOwner, requireMayGrant, type Rights } from './member-rules.ts';
import { deleteMembership, findMember, hasOtherOwner, type MemberRow } from './member-store.ts';

type MemberContext = Pick<Context, 'db' | 'now'>;

/** Changes the rights of a member. Throws `not_found`, `missing_permission` and `conflict`. */
export async function changeMember(
  context: MemberContext,
  actor: Actor,
  accountId: number,
  userId: number,
  body: UpdateMemberBody,
): Promise<MemberRow> {
  return context.db.transaction().execute(async (trx) => {
    // All changes of members wait for each other, so that two owners cannot both lower themselves.
    await requireLockedAccount(trx, accountId);
    const member = await requireMember(trx, accountId, userId);
    const before = rightsOf(member);
    const after = { role: body.role ?? before.role, unmasked: body.unmasked ?? before.unmasked };
    const changes = changedFields(before, after);
    if (Object.keys(changes).length === 0) return member;
    requireMayGrant(actor, accountId, { userId, before, after });
    if (after.role !== 'owner') await requireOtherOwner(trx, accountId, member);
    await putMembership(trx, accountId, userId, after, context.now());
    await writeAudit(trx, context, {
      accountId,
      actor: actor.author,
      action: 'member.update',
      subject: `user:${userId}`,
      details: { changes },
    });
    return { ...member, ...after };
  });
}

/** Removes a member. Throws `not_found`, `missing_permission` and `conflict`. */
export async function removeMember(
  context: MemberContext,
  actor: Actor,
  accountId: number,
  userId: number,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const member = await requireMember(trx, accountId, userId);
    requireMayGrant(actor, accountId, { userId, before: rightsOf(member), after: undefined });
    await endMembership(trx, context, actor.author, accountId, member);
  });
}

/** Ends the own membership of a person. Throws `not_found` and `conflict`. */
export async function leaveAccount(context: MemberContext, { userId }: Person, accountId: number): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    await endMembership(trx, context, `user:${userId}`, accountId, await requireMember(trx, accountId, userId));
  });
}

/** Converts a member to its form in the API. */
export function memberView(row: MemberRow): Member {
  return {
    user_id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    unmasked: row.unmasked,
    has_second_factor: row.has_second_factor,
    is_disabled: row.disabled_at !== null,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

async function endMembership(
  trx: Database,
  context: Pick<Context, 'now'>,
  author: Author,
  accountId: number,
  member: MemberRow,
): Promise<void> {
  await requireOtherOwner(trx, accountId, member);
  await deleteMembership(trx, accountId, member.user_id);
  await writeAudit(trx, context, {
    accountId,
    actor: author,
    action: 'member.remove',
    subject: `user:${member.user_id}`,
    details: { role: member.role },
  });
}

async function requireMember(trx: Database, accountId: number, userId: number): Promise<MemberRow> {
  const member = await findMember(trx, accountId, userId);
  if (member === undefined) {
    throw notFound(`member ${userId} in account ${accountId}`);
  }
  return member;
}

async function requireOtherOwner(
  trx: Database,
  accountId: number,
  { user_id: userId, role }: MemberRow,
): Promise<void> {
  if (role === 'owner' && !(await hasOtherOwner(trx, accountId, userId))) throw lastOwner(accountId);
}

function rightsOf({ role, unmasked }: MemberRow): Rights {
  return { role, unmasked };
}
