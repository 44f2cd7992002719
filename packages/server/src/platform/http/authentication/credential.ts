import type { AccountSettings, Scope } from '@roster/contract';
import type { Requirement } from '@roster/contract/operations';
import type { Author } from '#platform/audit-log/audit-log.ts';

/**
 * The account and the rights of a caller of an operation of one account. Every query takes its
 * `accountId` from here.
 */
export interface Credential {
  readonly accountId: number;
  /** The API key; undefined for operators and people. */
  readonly apiKeyId: number | undefined;
  /** The caller as the author of changes. */
  readonly author: Author;
  readonly scopes: ReadonlySet<Scope>;
  readonly primaryKey: string;
  /** IANA name of the time zone of the account. */
  readonly timeZone: string;
  readonly settings: AccountSettings;
  /** When the API key ends; null if it does not end. */
  readonly expiresAt: Date | null;
}

/** Finds credentials in a cache. A revoked key stops working within 5 seconds on every process. */
export interface CredentialStore extends AsyncDisposable {
  /** Finds the credential of a key; undefined when the key is unknown, revoked or expired. */
  find(apiKey: string): Promise<Credential | undefined>;
  /** Clears the cache of an account, so that this process sees its own change at once. */
  forget(accountId: number): void;
  /**
   * Makes the credential of an operator or a person for an account; undefined when the account does
   * not exist. It is not cached.
   */
  ofAccount(accountId: number, rights: Pick<Credential, 'author' | 'scopes'>): Promise<Credential | undefined>;
}

/** Returns whether a credential has the scope that an operation needs. */
export function hasScope({ scopes }: Credential, permission: Requirement | undefined): boolean {
  return permission === undefined || (scopes as ReadonlySet<Requirement>).has(permission);
}
