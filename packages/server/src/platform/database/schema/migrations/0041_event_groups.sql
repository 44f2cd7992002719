-- Events are stored in compressed groups, because a row for each event made an ingest a fifth slower.
-- Events that are stored by now are given up: their readers get events_expired, and not a gap.
drop table events;
update event_feeds set expired_position = last_position;

-- Consecutive events of one batch. See docs/decisions/0041-events.md.
create table event_groups (
  account_id integer not null,
  -- The position of the last event. The positions of an account have no gaps.
  last_position bigint not null,
  occurred_at timestamptz(3) not null,
  -- JSON, compressed with zstd by the service.
  events bytea not null,
  primary key (account_id, last_position)
);
alter table event_groups alter column events set storage external;
