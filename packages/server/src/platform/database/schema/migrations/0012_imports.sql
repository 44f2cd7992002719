-- Imports of files: options, file, progress and result. See docs/imports.md.
create table imports (
  account_id integer not null,
  -- A time-ordered UUID (version 7). It gives the order of the imports.
  import_id uuid not null,
  status text not null check (status in ('awaiting_file', 'accepted', 'running', 'completed', 'failed', 'cancelled')),
  file_name text,
  -- The properties of the file that the caller gave: {"format", "encoding", "delimiter", "columns":
  -- {header: name or null}}.
  given jsonb not null,
  mode text not null check (mode in ('upsert', 'create', 'update')),
  blank_cells text not null check (blank_cells in ('leave', 'clear')),
  audience_ids integer[] not null,
  unknown_columns text not null check (unknown_columns in ('refuse', 'skip', 'create')),
  dry_run boolean not null,
  -- Number of writes of a file for this import. Each write has its own key in the file store.
  writes integer not null default 0,
  -- Identifiers of unfinished writes in the file store. They are the writes of running and killed
  -- processes. What is left of them is deleted after the import ends.
  unfinished_writes text[] not null default '{}',
  -- Null until the file is stored, and after it is deleted.
  file_key text,
  file_size bigint,
  compression text check (compression in ('none', 'gzip')),
  format text check (format in ('csv', 'ndjson')),
  encoding text,
  delimiter text,
  -- The primary key of the account for which the columns were matched.
  primary_key text,
  -- In the order of the file. For the form, see FoundColumn.
  columns jsonb not null default '[]',
  -- The whole file was read once. Its encoding is valid, its columns are known, and its new
  -- attributes exist.
  surveyed boolean not null default false,
  -- Size of the uncompressed text.
  bytes_total bigint,
  -- The position in the file. The transaction that stores it also accepts the requests of the rows
  -- before it.
  bytes_read bigint not null default 0,
  rows_read bigint not null default 0,
  chunks integer not null default 0,
  all_read boolean not null default false,
  -- Counts of the rows that failed before they became items, and of the items of applied requests.
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  failed bigint not null default 0,
  warnings bigint not null default 0,
  -- Number of the current run, from 1; 0 before the first. If a run seems dead, another run begins
  -- with the next number. The former run then finds that the number has changed, and must stop.
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

-- The requests that contain the rows of a file. A chunk of rows becomes one request, or two if some
-- of its contacts are anonymous.
create table import_requests (
  account_id integer not null,
  import_id uuid not null,
  -- From 0, in the order of the file.
  chunk integer not null,
  kind text not null check (kind in ('identified', 'anonymous')),
  request_id uuid not null,
  -- done, failed: the counts of the import contain those of this request.
  status text not null default 'accepted' check (status in ('accepted', 'done', 'failed')),
  has_failures boolean not null default false,
  primary key (account_id, import_id, chunk, kind)
);
create index import_requests_accepted on import_requests (account_id, import_id) where status = 'accepted';
