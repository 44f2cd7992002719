-- The events of an account: changes that other systems read. See docs/decisions/0041-events.md.

-- One row for each account that has written events. The writer of events holds its lock until its
-- transaction ends, so positions are in the order of commits and have no gaps.
create table event_feeds (
  account_id integer primary key,
  last_position bigint not null,
  -- Events up to this position are deleted.
  expired_position bigint not null default 0
);

create table events (
  account_id integer not null,
  position bigint not null,
  kind text not null,
  contact_id bigint,
  occurred_at timestamptz(3) not null,
  request_id uuid,
  details jsonb not null,
  primary key (account_id, position)
);
