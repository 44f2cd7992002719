import type { ColumnType, Generated } from 'kysely';

/** The erasure of one person. */
export interface ErasuresTable {
  account_id: number;
  request_id: string;
  contact_id: number;
  accepted_at: ColumnType<Date, Date | string>;
  erased_at: Date;
  finished_at: Date | null;
  primary_key: string;
  identifiers: string[] | null;
  learned: Generated<string[]>;
  position: number | null;
  is_again: Generated<boolean>;
  erased_items: Generated<number>;
  erased_mails: Generated<number>;
  erased_sign_ups: Generated<number>;
  export_ids: string[];
}

/** The hash of an identifier of an erased person. */
export interface ForgottenTable {
  account_id: number;
  hash: Buffer;
  request_id: string;
}
