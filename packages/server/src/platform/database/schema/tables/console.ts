import type { Generated, JSONColumnType } from 'kysely';

/** Saved views: states of console pages. */
export interface SavedViewsTable {
  account_id: number;
  view_id: string;
  /** Null for a shared view. */
  user_id: number | null;
  name: string;
  page: string;
  state: JSONColumnType<Record<string, unknown>>;
  author: string;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
}
