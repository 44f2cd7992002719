import type { AccountOperator, SignedInPerson } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { account } from '#api/client.ts';
import { isAllowed, sessionQuery, type Permission } from '#api/session.ts';
import { lastAccountOf } from './last-account.ts';

/** The account of the page, and what the person may do in it. */
export interface CurrentAccount {
  readonly accountId: number;
  /** The operations of the API on this account. */
  readonly account: AccountOperator;
  /** Whether the person has a right in this account. The service checks it in any case. */
  readonly can: (permission: Permission) => boolean;
}

/**
 * Returns the account in the address. On pages outside of accounts, it is the account that the
 * person looked at last, so that the frame keeps its menu. Undefined if the person has no account.
 */
export function useAccountIfAny(): CurrentAccount | undefined {
  const { accountId: inAddress } = useParams({ strict: false });
  const person = usePerson();
  const accountId = inAddress ?? (person === null ? undefined : lastAccountOf(person));
  return useMemo(() => {
    if (accountId === undefined) return undefined;
    return {
      accountId,
      account: account(accountId),
      // A page stays for a moment after the session has ended, until sign-in is loaded.
      can: (permission) => person !== null && isAllowed(person, accountId, permission),
    };
  }, [accountId, person]);
}

/** Returns the account in the address. Use it in pages below `/accounts/$accountId`. */
export function useAccount(): CurrentAccount {
  const current = useAccountIfAny();
  // When the session ends, a page is still drawn once more before sign-in takes its place.
  const [first] = useState(current);
  const known = current ?? first;
  if (known === undefined) throw new Error('this page has no account in its address');
  return known;
}

/** Returns the person who is signed in; null on the pages for sign-in. */
export function usePerson(): SignedInPerson | null {
  return useQuery(sessionQuery).data?.person ?? null;
}
