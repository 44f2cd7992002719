import type { PersonAccount, Session, SignedInPerson } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

/** A right in an account. The operation table names the right that each operation needs. */
export type Permission = PersonAccount['permissions'][number];

/** The session of this browser: who is signed in, and how people can sign in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }): Promise<Session> => client.signIn.session({ signal }),
  staleTime: 60_000,
});

/** Tells whether a person may open the pages of an account. */
export function hasAccess(person: SignedInPerson, accountId: number): boolean {
  return person.is_installation_admin || person.accounts.some(({ account_id }) => account_id === accountId);
}

/** Tells whether a person has a right in an account. The service checks it in any case. */
export function isAllowed(person: SignedInPerson, accountId: number, permission: Permission): boolean {
  // Nobody sees masked values without the grant of the account, not even installation administrators.
  if (person.is_installation_admin && permission !== 'unmasked') return true;
  const access = person.accounts.find(({ account_id }) => account_id === accountId);
  return access?.permissions.includes(permission) === true;
}

/** Ends the session, and forgets all data in this page. */
export async function signOut(): Promise<void> {
  await client.signIn.out();
  // A full load, so that no data of the person stays in memory.
  location.assign('/console/sign-in');
}
