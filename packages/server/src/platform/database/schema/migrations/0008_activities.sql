-- Messages that were sent to people, and what the people did with them. See docs/activity.md.
--
-- Partitioned by month (UTC) of occurred_at. There is no default partition, because with one,
-- detaching a partition blocks all queries. The worker creates the partition of a month when a
-- record needs it. The upkeep creates the partitions of the coming months. The order of the columns
-- avoids padding in the rows.
create table activities (
  account_id integer not null,
  -- Position of the word in the enumeration of docs/contract/activities.md, from 1.
  channel smallint not null,
  activity smallint not null,
  occurred_at timestamptz(3) not null,
  message_id bigint,
  -- 52 bits of a hash of the sender's id. It is compared only within one contact, channel and time.
  record_id bigint,
  -- The contact key, as in `contacts`. No contact needs to have it.
  contact_key text not null collate "C",
  msg_name text,
  -- For bounces: true if the address is permanently invalid.
  hard_bounce boolean,
  ip text,
  device text,
  os text,
  browser text,
  link text
) partition by range (occurred_at);

create index activities_contact on activities (account_id, contact_key, channel, occurred_at desc);

-- Moves: the activities of contact_key now belong to target_key, because the contact got another
-- identity. If target_key is null, the contact was deleted, and its activities must be deleted.
-- Queries use a move immediately. A worker updates the rows later. Until then, contact_key has no
-- other activities.
create table activity_moves (
  account_id integer not null,
  contact_key text not null collate "C",
  target_key text collate "C",
  primary key (account_id, contact_key)
);
create index activity_moves_target on activity_moves (account_id, target_key);

-- Opt-outs of people who are not contacts yet. They apply when the contact is created.
create table awaited_opt_outs (
  account_id integer not null,
  contact_key text not null collate "C",
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
  -- The time of the latest opt-out.
  occurred_at timestamptz(3) not null,
  primary key (account_id, contact_key, channel)
);
create index awaited_opt_outs_occurred_at on awaited_opt_outs (account_id, occurred_at);

-- When the contact opted in again after an opt-out, by channel. Opt-outs dated before this time are
-- ignored, even if they arrive later. Null for nearly all contacts.
alter table contacts add column opted_in_at jsonb;
