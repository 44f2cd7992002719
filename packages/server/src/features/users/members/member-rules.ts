import type { Role } from '@roster/contract';
import { type ApiError, conflict } from '#platform/errors/api-error.ts';
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
export function requireMayGrant(actor: Actor, accountId: number, change: Change & { readonly userId?: number }): void {
  const { userId, before, after } = change;
  const grantsUnmasked = isUnmaskedGrant(change);
  if (needsOwner(change) && !actsAsOwner(actor, accountId)) {
    throw missingPermission('members:write', `: only an owner of account ${accountId} can do this`);
  }
  const isSelf = userId !== undefined && actor.person?.userId === userId;
  if (isSelf && after !== undefined && (grantsUnmasked || ranks[after.role] > (before ? ranks[before.role] : -1))) {
    throw missingPermission('members:write', ': nobody can raise the own rights');
  }
}

/** Returns whether a caller may invite a person who gets these rights. */
export function mayInvite(actor: Actor, accountId: number, rights: Rights): boolean {
  const isEnough = !needsOwner({ before: undefined, after: rights }) || actsAsOwner(actor, accountId);
  return isEnough && actor.can('members:write', accountId);
}

interface Change {
  readonly before: Rights | undefined;
  readonly after: Rights | undefined;
}

function needsOwner({ before, after }: Change): boolean {
  return before?.role === 'owner' || after?.role === 'owner' || isUnmaskedGrant({ before, after });
}

function isUnmaskedGrant({ before, after }: Change): boolean {
  return after?.unmasked === true && before?.unmasked !== true;
}

function actsAsOwner({ isInstallation, person }: Actor, accountId: number): boolean {
  return (
    isInstallation ||
    person?.memberships.some(({ accountId: id, role }) => id === accountId && role === 'owner') === true
  );
}

/** Makes the error for a change that would leave an account without an owner. */
export function lastOwner(accountId: number): ApiError {
  return conflict(`This is the last owner of account ${accountId}. Make somebody else an owner first.`);
}
