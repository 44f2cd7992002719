-- Exports of audiences to files (decisions §5): the requests, how far they are, and where their files lie.
create table exports (
  account_id integer not null,
  -- A time-ordered UUID (version 7): the order of the requests.
  request_id uuid not null,
  api_key_id integer not null,
  status text not null check (status in ('accepted', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  audience_type text not null check (audience_type in ('list', 'segment')),
  audience_id integer not null,
  -- In the order of the file: {"name": as requested, "attribute_id": number} or {"name": …, "field": field of the service}.
  columns jsonb not null,
  blocklist_type text check (blocklist_type in ('email', 'mobile')),
  compression text not null check (compression in ('none', 'gzip')),
  -- The rights of the API key when it asked.
  unmasked boolean not null,
  -- {"method", "endpoint", "headers": [[name, value]], "body"}; null: nobody is told, or somebody was. json and not jsonb: the body of the
  -- caller may have what jsonb cannot hold.
  callback json,
  notify_email text,
  -- Number of times that it began to run. A run that was taken for dead finds another number here and must not end the export.
  run integer not null default 0,
  -- What an unfinished write of the present run has left in the store, in the words of the store.
  unfinished_write text,
  rows_total bigint,
  rows_written bigint not null default 0,
  file_key text,
  file_size bigint,
  -- Signs the address of the file.
  secret bytea not null,
  error text,
  delivery_id uuid,
  mail_id uuid,
  accepted_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (account_id, request_id),
  check ((status in ('accepted', 'running')) = (finished_at is null)),
  check ((status in ('completed', 'expired')) = (expires_at is not null))
);

create index exports_status on exports (account_id, status, request_id);
create index exports_unfinished on exports (accepted_at) where status in ('accepted', 'running');
create index exports_expires_at on exports (expires_at) where status = 'completed';
