import type { Member } from '@roster/client';
import type { CurrentAccount } from '#shell/account/use-account.ts';
import { usePerson } from '#shell/account/use-account.ts';

/** The role of a member. */
export type Role = Member['role'];

/** All roles, from the most to the least rights. */
export const roles = ['owner', 'admin', 'editor', 'viewer', 'privacy'] as const satisfies readonly Role[];

/**
 * Tells whether the person counts as an owner of the account: only owners make owners, and grant
 * unmasked values. The service checks it in any case.
 */
export function useIsOwner({ accountId }: Pick<CurrentAccount, 'accountId'>): boolean {
  const person = usePerson();
  if (person === null) return false;
  const own = person.accounts.find(({ account_id: id }) => id === accountId);
  return person.is_installation_admin || own?.role === 'owner';
}
