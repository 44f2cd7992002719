import type { PersonAccount, Session, SignedInPerson } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { setSessionEnded } from './session-end.ts';

/** A right in an account. The operation table names the right that each operation needs. */
export type Permission = PersonAccount['permissions'][number];

/**
 * The session of this browser: who is signed in, and how people can sign in. When the session has
 * ended, an open page keeps the person, so that nothing is lost that the person has entered.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  async queryFn({ signal, client: cache, queryKey }): Promise<Session> {
    const found = await client.signIn.session({ signal });
    const known = cache.getQueryData<Session>(queryKey);
    if (found.person !== null || known === undefined || known.person === null) return found;
    setSessionEnded(true);
    return known;
  },
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

const signOutChannel = 'roster-sign-out';

/** Calls the handler when the person signs out in another tab. */
export function whenSignedOutElsewhere(handler: () => void): void {
  new BroadcastChannel(signOutChannel).addEventListener('message', handler);
}

/** Ends the session, and forgets all data in this page. */
export async function signOut(): Promise<void> {
  await client.signIn.out();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  new BroadcastChannel(signOutChannel).postMessage(null);
  // A full load, so that no data of the person stays in memory.
  location.assign('/console/sign-in');
}
