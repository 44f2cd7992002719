import type { SignedInPerson } from '@roster/client';
import { hasAccess } from '#api/session.ts';

// The forms of the API reference read it, too (platform/http/documentation/assets).
const storageKey = 'roster-account';
// A window keeps its own account while another window shows another one.
let inThisWindow: number | undefined;

/** Remembers the account that the person looks at, for the pages outside of accounts. */
export function rememberAccount(accountId: number): void {
  inThisWindow = accountId;
  localStorage.setItem(storageKey, String(accountId));
}

/** Forgets an account that does not exist anymore. */
export function forgetAccount(accountId: number): void {
  if (inThisWindow === accountId) inThisWindow = undefined;
  if (localStorage.getItem(storageKey) === String(accountId)) localStorage.removeItem(storageKey);
}

/**
 * Returns the account that the person looked at last, or else the first account of the person.
 * Returns undefined if the person has no account.
 */
export function lastAccountOf(person: SignedInPerson): number | undefined {
  const last = inThisWindow ?? Number(localStorage.getItem(storageKey) ?? 0);
  return last > 0 && hasAccess(person, last) ? last : person.accounts[0]?.account_id;
}
