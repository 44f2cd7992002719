import type { Role } from '@roster/contract';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { GroupRole } from '#platform/config/values/group-roles.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { Rights } from '../members/member-rules.ts';
import { deleteMembership, findMember, hasOtherOwner } from '../members/member-store.ts';
import { allAccountIds, putMembership } from '../store/membership-store.ts';

/** The roles from the most to the least rights. */
const order: readonly Role[] = ['owner', 'admin', 'editor', 'privacy', 'viewer'];

/**
 * Returns the rights of a person in each account that the mapping names, by its groups. Without a
 * group for an account, the rights are undefined. If several groups match, the role with the most
 * rights wins.
 */
export function rightsOfGroups(
  mapping: readonly GroupRole[],
  groups: readonly string[],
  accountIds: readonly number[],
): Map<number, Rights | undefined> {
  const rights = new Map<number, Rights | undefined>();
  for (const accountId of accountIds) {
    const named = mapping.filter(({ accountId: id }) => id === undefined || id === accountId);
    if (named.length === 0) continue;
    const own = named.filter(({ group }) => groups.includes(group));
    const role = order.find((candidate) => own.some((entry) => entry.role === candidate));
    rights.set(accountId, role === undefined ? undefined : { role, unmasked: own.some(({ unmasked }) => unmasked) });
  }
  return rights;
}

/**
 * Sets the memberships of a person to those of its groups, in the accounts that the mapping names.
 * The last owner of an account keeps the role.
 */
export async function applyGroupRights(
  trx: Database,
  context: Pick<Context, 'config' | 'now'>,
  userId: number,
  groups: readonly string[],
): Promise<void> {
  const wanted = rightsOfGroups(context.config.oidcRoles, groups, await allAccountIds(trx));
  for (const [accountId, after] of wanted) {
    const before = await findMember(trx, accountId, userId);
    if (before?.role === after?.role && before?.unmasked === after?.unmasked) continue;
    await requireLockedAccount(trx, accountId);
    const losesOwner = before?.role === 'owner' && after?.role !== 'owner';
    if (losesOwner && !(await hasOtherOwner(trx, accountId, userId))) continue;
    if (after === undefined) await deleteMembership(trx, accountId, userId);
    else await putMembership(trx, accountId, userId, after, context.now());
    await writeAudit(trx, context, {
      accountId,
      actor: 'system',
      action: after === undefined ? 'member.remove' : before === undefined ? 'member.add' : 'member.update',
      subject: `user:${userId}`,
      details: { reason: 'single_sign_on', ...after },
    });
  }
}
