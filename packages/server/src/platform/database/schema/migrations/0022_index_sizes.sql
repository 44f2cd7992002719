-- The size of each index of `contacts`, and its fresh size: the size that it would have if it were
-- built now. GIN indexes grow without limit when values change. A worker rebuilds those that have
-- grown too much. The sizes are for the whole database, not for one account.
create table index_sizes (
  index_name text primary key,
  measured_at timestamptz(3) not null,
  bytes bigint not null,
  -- Estimated. Null if a sample is not enough for an estimate.
  fresh_bytes bigint,
  -- The last rebuild: its time, the size after it, and the number of contacts at that time.
  rebuilt_at timestamptz(3),
  rebuilt_bytes bigint,
  rebuilt_contacts bigint
);
