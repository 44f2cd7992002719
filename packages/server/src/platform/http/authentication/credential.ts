import type { AccountSettings, Scope } from '@roster/contract';

/** The account and the rights of an API key. Every query takes its `accountId` from here. */
export interface Credential {
  readonly accountId: number;
  readonly apiKeyId: number;
  readonly scopes: ReadonlySet<Scope>;
  readonly primaryKey: string;
  /** IANA name of the time zone of the account. */
  readonly timeZone: string;
  readonly settings: AccountSettings;
  /** When the key ends; null if it does not end. */
  readonly expiresAt: Date | null;
}

/** Finds credentials in a cache. A revoked key stops working within 5 seconds on every process. */
export interface CredentialStore extends AsyncDisposable {
  /** Finds the credential of a key; undefined when the key is unknown, revoked or expired. */
  find(apiKey: string): Promise<Credential | undefined>;
  /** Clears the cache of an account, so that this process sees its own change at once. */
  forget(accountId: number): void;
}
