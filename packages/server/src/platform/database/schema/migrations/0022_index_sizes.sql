-- How large the indexes of contacts are, and how large they would be if they were new: changing values makes GIN indexes grow without end, and
-- a worker rebuilds those that have grown too much. Of the whole database, not of an account.
create table index_sizes (
  index_name text primary key,
  measured_at timestamptz(3) not null,
  bytes bigint not null,
  -- Estimated; null when a sample cannot tell.
  fresh_bytes bigint,
  -- The last rebuild: when, the size after it, and the number of contacts then.
  rebuilt_at timestamptz(3),
  rebuilt_bytes bigint,
  rebuilt_contacts bigint
);
