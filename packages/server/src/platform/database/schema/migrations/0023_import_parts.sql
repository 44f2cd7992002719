-- A file can be sent in parts, so that an interrupted upload continues after the last part. Each
-- part is a separate file in the file store. `parts` has the numbers of their writes, in order.
-- `received` is their total size in bytes. `parts` is empty if the file was sent as a whole.
alter table imports
  add column parts integer[] not null default '{}',
  add column received bigint not null default 0;
