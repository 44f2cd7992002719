-- How many contacts matched each segment when a day began. A worker counts each segment once a day.
-- `day` is the day in the time zone that the account had then.
create table segment_counts (
  account_id integer not null,
  audience_id integer not null,
  day date not null,
  -- Null: the segment could not be counted on that day, such as because the count took too long.
  contacts bigint,
  primary key (account_id, audience_id, day)
);
