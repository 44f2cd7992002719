/** Counters of `contact_counts` and `contact_totals`: net changes, or present numbers. */
interface ContactLevels {
  anonymous: number;
  identified: number;
  unconfirmed: number;
  confirmed: number;
  blacklisted: number;
  email_reach: number;
  sms_reach: number;
  whatsapp_reach: number;
}

interface ContactCountsTable extends ContactLevels {
  account_id: number;
  starts_at: Date;
  created: number;
  deleted: number;
  created_since_deleted: number;
  email_opted_out: number;
  sms_opted_out: number;
  whatsapp_opted_out: number;
  email_opted_in: number;
  sms_opted_in: number;
  whatsapp_opted_in: number;
}

interface ContactTotalsTable extends ContactLevels {
  account_id: number;
  identities: number;
}

interface AttributeFillsTable {
  account_id: number;
  attribute_id: number;
  filled: number;
}

interface ActivityCountsTable {
  account_id: number;
  /** 12 × year + (0 to 11), in UTC. */
  month: number;
  /** `YYYY-MM-DD` in the time zone of the account. */
  day: string;
  channel: number;
  activity: number;
  /** -1 for activities without a message. */
  message_id: number;
  count: number;
}

interface MessageNamesTable {
  account_id: number;
  message_id: number;
  name: string;
}

interface CountRebuildsTable {
  account_id: number;
  is_first: boolean;
  requested_at: Date;
}

/** The tables of counts for statistics. */
export interface CountTables {
  contact_counts: ContactCountsTable;
  contact_totals: ContactTotalsTable;
  attribute_fills: AttributeFillsTable;
  activity_counts: ActivityCountsTable;
  message_names: MessageNamesTable;
  count_rebuilds: CountRebuildsTable;
}
