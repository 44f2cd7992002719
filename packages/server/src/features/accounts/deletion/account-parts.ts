import type { Database } from '#platform/database/connection/database.ts';

/** What a feature keeps of an account outside of table rows, and its unfinished work. */
export interface AccountParts {
  /** Ends the unfinished work of an account that is deleted. A second call changes nothing. */
  readonly endWork: (trx: Database, accountId: number, at: Date) => Promise<void>;
  /** Returns the beginnings of the keys of the account in the file store. */
  readonly filePrefixes: (accountId: number) => readonly string[];
  /** Returns the unfinished writes of the account in the file store. */
  readonly unfinishedWrites: (db: Database, accountId: number) => Promise<readonly string[]>;
}

declare module '#platform/feature.ts' {
  interface Feature {
    /**
     * What must be ended and deleted with an account, besides the rows with its `account_id`. The
     * deletion finds all tables with this column by itself.
     */
    readonly accountParts?: Partial<AccountParts>;
  }
}
