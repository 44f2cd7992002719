import type { AccountSettings, Scope } from '@roster/contract';

/** Who sends a request: the account and the rights of an API key. Every query takes its `accountId` from here. */
export interface Credential {
  readonly accountId: number;
  readonly apiKeyId: number;
  readonly scopes: ReadonlySet<Scope>;
  readonly primaryKey: string;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
  readonly settings: AccountSettings;
  /** When the key ends, or null. */
  readonly expiresAt: Date | null;
}

/** Finds the credential of an API key without a query per request; a revoked key stops working within 5 seconds on every process. */
export interface CredentialStore extends AsyncDisposable {
  /** The credential of a key; undefined when the key is unknown, revoked or expired. */
  find(apiKey: string): Promise<Credential | undefined>;
  /** Forgets what is cached of an account; called by the operations that change it, so that this process sees a change at once. */
  forget(accountId: number): void;
}
