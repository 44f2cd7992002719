import type { ContactEventKind } from '@roster/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A contact key that a contact had before. */
export interface FormerKeysTable {
  account_id: number;
  contact_id: number;
  contact_key: string;
  changed_at: ColumnType<Date, Date | string>;
}

/** A change of the type, identity or opt-outs of a contact. */
export interface ContactEventsTable {
  account_id: number;
  contact_id: number;
  occurred_at: Date;
  event_id: Generated<number>;
  kind: ContactEventKind;
  details: JSONColumnType<Readonly<Record<string, string | null>>>;
  request_id: string;
}

/** The event feed of an account. */
export interface EventFeedsTable {
  account_id: number;
  last_position: number;
  expired_position: Generated<number>;
}

/** Consecutive events of an account. */
export interface EventGroupsTable {
  account_id: number;
  last_position: number;
  occurred_at: Date;
  events: Buffer;
}
