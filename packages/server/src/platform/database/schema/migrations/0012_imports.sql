-- Imports of files: what was asked for, where the file lies, how far its reading is, and how it ended.
create table imports (
  account_id integer not null,
  -- A time-ordered UUID (version 7): the order of the imports.
  import_id uuid not null,
  status text not null check (status in ('awaiting_file', 'accepted', 'running', 'completed', 'failed', 'cancelled')),
  file_name text,
  -- What was said about the file: {"format", "encoding", "delimiter", "columns": {header: name or null}}.
  given jsonb not null,
  mode text not null check (mode in ('upsert', 'create', 'update')),
  blank_cells text not null check (blank_cells in ('leave', 'clear')),
  audience_ids integer[] not null,
  unknown_columns text not null check (unknown_columns in ('refuse', 'skip', 'create')),
  dry_run boolean not null,
  -- Number of files that were begun to be written for it, each with a place of its own in the store.
  writes integer not null default 0,
  -- What writes have left in the store whose process was killed, in the words of the store.
  unfinished_writes text[] not null default '{}',
  -- Null before the file is there, and once it is deleted.
  file_key text,
  file_size bigint,
  compression text check (compression in ('none', 'gzip')),
  format text check (format in ('csv', 'ndjson')),
  encoding text,
  delimiter text,
  -- The primary key of the account that the columns were found for.
  primary_key text,
  -- In the order of the file, see FoundColumn.
  columns jsonb not null default '[]',
  -- The whole file was read once: its encoding is right, its columns are known, and its new attributes exist.
  surveyed boolean not null default false,
  -- Of the unpacked text.
  bytes_total bigint,
  -- The position: what was read so far became requests in the transaction that wrote it down.
  bytes_read bigint not null default 0,
  rows_read bigint not null default 0,
  chunks integer not null default 0,
  all_read boolean not null default false,
  -- What became of the rows: of those that failed before they were items of a request, and of the requests that are applied.
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  failed bigint not null default 0,
  warnings bigint not null default 0,
  -- Number of times that it began to run. A run that was taken for dead finds another number here and must not go on.
  run integer not null default 0,
  run_started_at timestamptz(3),
  run_started_bytes bigint not null default 0,
  run_started_rows bigint not null default 0,
  failure_code text,
  failure_message text,
  failures_key text,
  failures_expire_at timestamptz(3),
  created_at timestamptz(3) not null,
  uploaded_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (account_id, import_id),
  check ((status in ('awaiting_file', 'accepted', 'running')) = (finished_at is null)),
  check ((status = 'failed') = (failure_code is not null))
);

create index imports_status on imports (account_id, status, import_id);
create index imports_unfinished on imports (created_at) where status in ('awaiting_file', 'accepted', 'running');
create index imports_file on imports (finished_at) where file_key is not null or unfinished_writes <> '{}';
create index imports_failures on imports (failures_expire_at) where failures_key is not null;

-- The requests that the rows of a file became: a chunk of rows is one, or two when some of its contacts are anonymous.
create table import_requests (
  account_id integer not null,
  import_id uuid not null,
  -- From 0, in the order of the file.
  chunk integer not null,
  kind text not null check (kind in ('identified', 'anonymous')),
  request_id uuid not null,
  -- done, failed: its counts are in those of the import.
  status text not null default 'accepted' check (status in ('accepted', 'done', 'failed')),
  has_failures boolean not null default false,
  primary key (account_id, import_id, chunk, kind)
);
create index import_requests_accepted on import_requests (account_id, import_id) where status = 'accepted';
