-- What was sent to people and what they did (decisions §6, architecture §3).
--
-- Partitioned by month (UTC) of occurred_at. There is no default partition, with which none could be detached without stopping everybody: the
-- worker makes the month that a record needs, and the upkeep those of the coming weeks. The columns stand in the order in which they fill
-- rows without gaps.
create table activities (
  account_id integer not null,
  -- Position of the word in the lists of the contract, from 1.
  channel smallint not null,
  activity smallint not null,
  occurred_at timestamptz(3) not null,
  message_id bigint,
  -- 52 bits of a hash of the sender's id of the record: compared only within one contact, channel and moment.
  record_id bigint,
  -- The identity in its comparable form, as in contacts; there need not be such a contact.
  contact_key text not null collate "C",
  msg_name text,
  -- Bounces: whether the address is gone for good.
  hard_bounce boolean,
  ip text,
  device text,
  os text,
  browser text,
  link text
) partition by range (occurred_at);

create index activities_contact on activities (account_id, contact_key, channel, occurred_at desc);

-- The activities of contact_key belong to target_key now, because the contact has another identity; null: to nobody, because it was deleted.
-- Obeyed by every query at once, done in the background. While a row is here, contact_key has no other activities than those.
create table activity_moves (
  account_id integer not null,
  contact_key text not null collate "C",
  target_key text collate "C",
  primary key (account_id, contact_key)
);
create index activity_moves_target on activity_moves (account_id, target_key);

-- Opt-outs of people who are not contacts yet; they apply when the contact appears.
create table awaited_opt_outs (
  account_id integer not null,
  contact_key text not null collate "C",
  channel text not null check (channel in ('email', 'sms', 'whatsapp')),
  -- The latest.
  occurred_at timestamptz(3) not null,
  primary key (account_id, contact_key, channel)
);
create index awaited_opt_outs_occurred_at on awaited_opt_outs (account_id, occurred_at);

-- When the contact came back to a channel that it had opted out of, by channel: an opt-out from before does not count any more, however late
-- it is reported. Null for nearly every contact.
alter table contacts add column opted_in_at jsonb;
