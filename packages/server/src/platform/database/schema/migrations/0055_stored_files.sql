-- The bytes of the stored files of an account are limited. See docs/decisions/0049-stored-files.md.

-- The size of the file of failures. Null for files that were written before: they do not count, and
-- expire soon.
alter table imports add column failures_size bigint;

-- An account can have a long history of imports and exports. Only those with a file are counted.
create index imports_stored on imports (account_id)
  where file_key is not null or failures_key is not null or status = 'fetching';
create index exports_stored on exports (account_id) where file_key is not null and place is null;
