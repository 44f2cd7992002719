-- Counts for statistics. The transaction that changes contacts or activities changes its counts, so
-- they always equal a count of the rows. See docs/decisions/0033-daily-counts.md.

-- What happened to the contacts of an account in a quarter of an hour of UTC. A day of any time zone
-- begins on a quarter of an hour, so each day is a sum of rows, also after a change of the time zone.
create table contact_counts (
  account_id int not null,
  starts_at timestamptz(3) not null,
  created bigint not null default 0,
  deleted bigint not null default 0,
  -- Of the contacts that were created in this quarter of an hour: how many were deleted since.
  -- `created` minus this is the number of contacts with such a `created_at`.
  created_since_deleted bigint not null default 0,
  email_opted_out bigint not null default 0,
  sms_opted_out bigint not null default 0,
  whatsapp_opted_out bigint not null default 0,
  email_opted_in bigint not null default 0,
  sms_opted_in bigint not null default 0,
  whatsapp_opted_in bigint not null default 0,
  -- Net changes of the number of contacts of each type, and of the reach of each channel. The sums
  -- are in contact_totals.
  anonymous bigint not null default 0,
  identified bigint not null default 0,
  unconfirmed bigint not null default 0,
  confirmed bigint not null default 0,
  blacklisted bigint not null default 0,
  email_reach bigint not null default 0,
  sms_reach bigint not null default 0,
  whatsapp_reach bigint not null default 0,
  primary key (account_id, starts_at)
) with (fillfactor = 70);

-- The contacts of an account now: by type, by the channels that reach them, and with an identity.
create table contact_totals (
  account_id int primary key,
  anonymous bigint not null default 0,
  identified bigint not null default 0,
  unconfirmed bigint not null default 0,
  confirmed bigint not null default 0,
  blacklisted bigint not null default 0,
  email_reach bigint not null default 0,
  sms_reach bigint not null default 0,
  whatsapp_reach bigint not null default 0,
  identities bigint not null default 0
) with (fillfactor = 50);

-- How many contacts have a value of each attribute. An attribute without a row has none.
create table attribute_fills (
  account_id int not null,
  attribute_id int not null,
  filled bigint not null,
  primary key (account_id, attribute_id)
) with (fillfactor = 50);

-- How many activities are stored, by day in the time zone of the account. `month` is the partition
-- that has them (12 * year + 0 to 11, in UTC), so that the counts of a partition can be deleted with
-- it. `message_id` is -1 for activities without a message. A count can be 0.
create table activity_counts (
  account_id int not null,
  month int not null,
  day date not null,
  channel smallint not null,
  activity smallint not null,
  message_id bigint not null,
  count bigint not null,
  primary key (account_id, month, day, channel, activity, message_id)
) with (fillfactor = 70);
create index activity_counts_message on activity_counts (account_id, message_id);

-- The latest name of each message.
create table message_names (
  account_id int not null,
  message_id bigint not null,
  name text not null,
  primary key (account_id, message_id)
);

-- Accounts whose counts a worker must compute again. `is_first`: they were never counted.
create table count_rebuilds (
  account_id int primary key,
  is_first boolean not null,
  requested_at timestamptz(3) not null
);
insert into count_rebuilds (account_id, is_first, requested_at) select account_id, true, now() from accounts;

-- Finds the activities of a message on some days. It is small and costs nearly nothing to write.
create index activities_message on activities using brin (account_id, message_id, occurred_at)
  with (pages_per_range = 32, autosummarize = on);
