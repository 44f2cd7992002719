-- Random values that the processes write on the primary while they use read replicas. A replica that
-- has the newest one has the same history as the primary. One row at most.
create table history_marks (
  one_row boolean primary key default true check (one_row),
  -- The timeline of the primary that wrote the newest mark, as in the names of WAL files.
  timeline text not null,
  -- The newest is the first. A replica can have a newer one than the process that asks.
  marks uuid[] not null,
  -- The clock of the primary, for each mark.
  written_at timestamptz[] not null
);
