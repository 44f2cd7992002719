import { hiddenFirstParameter, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';

/** The table in which the contacts of an account are read and written. */
export interface ContactsTable {
  readonly name: string;
  /** SQL for the account as the first parameter. */
  readonly account: string;
}

/** Returns the table `contacts`, or the table of a shard with the contacts of the account. */
export function contactsTable(ofShard?: string): ContactsTable {
  return ofShard === undefined
    ? { name: 'contacts', account: opaqueFirstParameter() }
    : { name: ofShard, account: hiddenFirstParameter };
}
