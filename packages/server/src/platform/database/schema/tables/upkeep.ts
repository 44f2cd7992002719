import type { ColumnType, Generated } from 'kysely';

/** The measured sizes of the indexes of contacts. */
export interface IndexSizesTable {
  index_name: string;
  measured_at: ColumnType<Date, Date | string>;
  bytes: number;
  fresh_bytes: number | null;
  rebuilt_at: ColumnType<Date | null, Date | string | null>;
  rebuilt_bytes: number | null;
  rebuilt_contacts: number | null;
}

/** Sweeps: what must be removed from or changed in all contacts of an account. */
export interface SweepsTable {
  account_id: number;
  sweep_id: Generated<number>;
  kind: 'list' | 'attribute' | 'widening';
  target_id: number;
  position: Generated<number>;
  created_at: Date;
}

/** Deletions of accounts, running and ended. */
export interface AccountDeletionsTable {
  account_id: number;
  name: string;
  author: string;
  requested_at: Date;
  step: string | null;
  deleted_rows: Generated<number>;
  finished_at: Date | null;
}
