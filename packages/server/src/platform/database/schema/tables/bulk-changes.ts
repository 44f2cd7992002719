import type { BulkChangeFailureCode, BulkChangeStatus, OptOutChannel } from '@roster/contract';
import type { Generated, JSONColumnType } from 'kysely';

/** The action of a bulk change. It has the ids of lists and attributes. */
export type StoredAction =
  | { readonly type: 'add_to_list' | 'remove_from_list'; readonly audience_id: number }
  | {
      readonly type: 'set_attribute';
      readonly attribute_id: number;
      readonly value: string | number | boolean | null;
    }
  | { readonly type: 'opt_out' | 'opt_in'; readonly channels: readonly OptOutChannel[] }
  | { readonly type: 'delete' | 'erase' };

/** How the contacts of a bulk change are chosen. `filter` is a StoredFilter. */
export type StoredSelection =
  | { readonly by: 'contact_ids' | 'all' }
  | {
      readonly by: 'filter';
      readonly audience?: {
        readonly audience_type: 'list' | 'segment';
        readonly audience_id: readonly number[];
      };
      readonly filter?: unknown;
    };

/** Bulk changes: action, contacts, progress and result. */
export interface BulkChangesTable {
  account_id: number;
  bulk_change_id: string;
  status: BulkChangeStatus;
  author: string;
  action: JSONColumnType<StoredAction>;
  selection: JSONColumnType<StoredSelection>;
  expected_count: number;
  total: number | null;
  next_chunk: Generated<number>;
  changed: Generated<number>;
  unchanged: Generated<number>;
  failed: Generated<number>;
  warnings: Generated<number>;
  run: Generated<number>;
  run_started_at: Date | null;
  run_started_done: Generated<number>;
  failure_code: BulkChangeFailureCode | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** Chosen contacts of a bulk change that are not changed and counted yet. */
export interface BulkChangeChunksTable {
  account_id: number;
  bulk_change_id: string;
  chunk: number;
  contact_ids: number[];
  request_ids: string[] | null;
}

/** Why contacts of a bulk change were not changed, or only in part. */
export interface BulkChangeFailuresTable {
  account_id: number;
  bulk_change_id: string;
  contact_id: number;
  ordinal: number;
  code: string;
  field: string | null;
  message: string;
  warning: boolean;
}

/** The tables of bulk changes. */
export interface BulkChangeTables {
  bulk_changes: BulkChangesTable;
  bulk_change_chunks: BulkChangeChunksTable;
  bulk_change_failures: BulkChangeFailuresTable;
}
