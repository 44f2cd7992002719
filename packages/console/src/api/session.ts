import { queryOptions } from '@tanstack/react-query';
import { RosterError } from '@roster/client';

/** A right in an account. The operation table names the right that each operation needs. */
export type Permission =
  | `${'contacts' | 'attributes' | 'lists' | 'segments' | 'imports' | 'activity' | 'account' | 'api-keys'}:${'read' | 'write'}`
  | `${'members' | 'callbacks' | 'privacy'}:${'read' | 'write'}`
  | 'exports:read'
  | 'export'
  | 'requests:read'
  | 'mails:read'
  | 'audit-log:read'
  | 'account:delete'
  | 'unmasked';

/** An account that the person may use, and the rights in it. */
export interface AccountAccess {
  readonly account_id: number;
  readonly name: string | null;
  readonly role: string;
  readonly unmasked: boolean;
  readonly permissions: readonly string[];
}

/** The person who is signed in. */
export interface Person {
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly language: string | null;
  readonly is_installation_admin: boolean;
  readonly accounts: readonly AccountAccess[];
}

/** Who is signed in, and how people can sign in. */
export interface Session {
  /** Null if nobody is signed in. */
  readonly person: Person | null;
  /** True until the first owner exists. */
  readonly needs_set_up: boolean;
  readonly single_sign_on: { readonly name: string } | null;
  /** Whether the service can send mails. */
  readonly mail: boolean;
}

/** The session of this browser. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const response = await fetch('/admin/v1/session', { signal, headers: { accept: 'application/json' } });
    if (!response.ok) {
      throw new RosterError(response.status === 503 ? 'unavailable' : 'internal', 'getSession', {
        operation: 'getSession',
        status: response.status,
      });
    }
    return (await response.json()) as Session;
  },
  staleTime: 60_000,
});

/** Returns the access of a person to an account; undefined without access. */
export function accessOf(person: Person, accountId: number): AccountAccess | undefined {
  return person.accounts.find(({ account_id }) => account_id === accountId);
}

/** Ends the session, and forgets all data in this page. */
export async function signOut(): Promise<void> {
  await fetch('/admin/v1/session', { method: 'DELETE' });
  // A full load, so that no data of the person stays in memory.
  location.assign('/console/sign-in');
}
