import type { Channel } from '@roster/contract';
import type { Generated } from 'kysely';

/** The kinds of activities that summaries have. */
export type SummaryKind = 'open' | 'click';

/** The time of the last activity of a channel and kind. */
export type SummaryTimeColumn = `${Channel}_${SummaryKind}_at`;

/** The minutes of the last activities of a channel and kind. */
export type SummaryMinutesColumn = `${Channel}_${SummaryKind}_minutes`;

/** The summaries of the activities of contacts; see the migration. */
export type ActivitySummariesTable = {
  account_id: number;
  contact_key: string;
  first_seen: Date | null;
  last_seen: Date | null;
} & { [column in SummaryTimeColumn]: Date | null } & { [column in SummaryMinutesColumn]: number[] | null };

/** The accounts with summaries. */
export interface ActivitySummaryStatesTable {
  account_id: number;
  wanted: boolean;
  usable: Generated<boolean>;
  position: string | null;
  done: Generated<number>;
  total: Generated<number>;
  /** 12 × year + (0 to 11), in UTC. */
  kept_from: number | null;
  trimmed_to: Generated<string>;
  requested_at: Date;
}

/** The tables of derived attributes. */
export interface SummaryTables {
  activity_summaries: ActivitySummariesTable;
  activity_summary_states: ActivitySummaryStatesTable;
}
