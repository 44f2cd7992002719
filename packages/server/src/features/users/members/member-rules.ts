import type { Role } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { missingPermission } from '#platform/http/authentication/require-actor.ts';

/** What a person may do in an account. */
export interface Rights {
  readonly role: Role;
  readonly unmasked: boolean;
}

const ranks: Readonly<Record<Role, number>> = { owner: 2, admin: 1, editor: 0, viewer: 0, privacy: 0 };

/**
 * Checks that a caller may give rights to a person. `before` is undefined for a person who has
 * none.
 *
 * - Only an owner can make somebody an owner, or change or remove an owner.
 * - Only an owner can grant unmasked values. Otherwise an admin could see them by inviting a second
 *   user of their own.
 * - Nobody can raise their own rights.
 *
 * The operator token and installation administrators count as owners. Throws `missing_permission`.
 */
export function requireMayGrant(
  actor: Actor,
  accountId: number,
  change: { readonly userId?: number; readonly before: Rights | undefined; readonly after: Rights | undefined },
): void {
  const { userId, before, after } = change;
  const touchesOwner = before?.role === 'owner' || after?.role === 'owner';
  const grantsUnmasked = after?.unmasked === true && before?.unmasked !== true;
  if ((touchesOwner || grantsUnmasked) && !actsAsOwner(actor, accountId)) {
    throw missingPermission('members:write', `: only an owner of account ${accountId} can do this`);
  }
  const isSelf = userId !== undefined && actor.person?.userId === userId;
  if (isSelf && after !== undefined && (grantsUnmasked || ranks[after.role] > (before ? ranks[before.role] : -1))) {
    throw missingPermission('members:write', ': nobody can raise the own rights');
  }
}

function actsAsOwner({ isInstallation, person }: Actor, accountId: number): boolean {
  return (
    isInstallation ||
    person?.memberships.some(({ accountId: id, role }) => id === accountId && role === 'owner') === true
  );
}

/** Makes the error for a change that would leave an account without an owner. */
export function lastOwner(accountId: number): ApiError {
  return new ApiError('conflict', {
    params: { reason: `This is the last owner of account ${accountId}. Make somebody else an owner first.` },
  });
}
