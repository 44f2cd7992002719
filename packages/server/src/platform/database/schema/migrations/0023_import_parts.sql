-- A file can be sent in parts, so that an upload that breaks off goes on behind the last part. A part is a file of its own in the store:
-- `parts` are the numbers of their writes in order, and `received` their bytes. Empty for a file that was sent as a whole.
alter table imports
  add column parts integer[] not null default '{}',
  add column received bigint not null default 0;
