import type { ColumnType, Generated } from 'kysely';

/** The states of a live segment; see the migration. */
export type LiveSegmentState = 'new' | 'waiting' | 'filling' | 'following' | 'broken';

/** Why contacts entered or left a live segment. */
export type LiveChangeCause = 'filled' | 'changed' | 'date';

interface LiveAccountsTable {
  account_id: number;
  last_live_id: Generated<number>;
  last_step: Generated<number>;
  ended_live_ids: Generated<number[]>;
}

interface LiveSegmentsTable {
  account_id: number;
  audience_id: number;
  live_id: number;
  state: LiveSegmentState;
  inputs: Generated<string[]>;
  definition: string | null;
  member_count: Generated<number>;
  fill_position: Generated<number>;
  clock_at: Date;
  pass_to: Date | null;
  pass_position: Generated<number>;
  started_at: Date;
  filled_at: Date | null;
}

interface LiveMembersTable {
  account_id: number;
  live_id: number;
  contact_id: number;
}

interface LiveChangesTable {
  account_id: number;
  live_id: number;
  step: number;
  entered: boolean;
  changed_at: Date;
  cause: LiveChangeCause;
  contact_ids: number[];
}

interface LiveDaysTable {
  account_id: number;
  live_id: number;
  day: ColumnType<string, string, string>;
  entered: number;
  departed: number;
}

interface LivePendingTable {
  account_id: number;
  pending_id: string;
  changed_at: Date;
  inputs: string[] | null;
  contact_ids: number[];
}

/** The tables of live segments. */
export interface LiveTables {
  live_accounts: LiveAccountsTable;
  live_segments: LiveSegmentsTable;
  live_members: LiveMembersTable;
  live_changes: LiveChangesTable;
  live_days: LiveDaysTable;
  live_pending: LivePendingTable;
}
