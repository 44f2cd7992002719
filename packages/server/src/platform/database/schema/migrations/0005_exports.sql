-- Exports of audiences to files: options, progress and result. See docs/exports.md.
create table exports (
  account_id integer not null,
  -- A time-ordered UUID (version 7). It gives the order of the exports.
  request_id uuid not null,
  api_key_id integer not null,
  status text not null check (status in ('accepted', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  audience_type text not null check (audience_type in ('list', 'segment')),
  audience_id integer not null,
  -- In the order of the file: {"name", "attribute_id"} for an attribute, or {"name", "field"} for a
  -- field of the service. "name" is the name that the caller gave.
  columns jsonb not null,
  blocklist_type text check (blocklist_type in ('email', 'mobile')),
  compression text not null check (compression in ('none', 'gzip')),
  -- Whether the API key had the scope `unmasked` when it requested the export.
  unmasked boolean not null,
  -- {"method", "endpoint", "headers": [[name, value]], "body"}. Null: no callback was requested, or
  -- its delivery is stored already. The type is json, because jsonb cannot store every body that a
  -- caller can send.
  callback json,
  notify_email text,
  -- Number of the current run, from 1; 0 before the first. If a run seems dead, another run begins
  -- with the next number. The former run then finds that the number has changed, and must not end
  -- the export.
  run integer not null default 0,
  -- Identifies the unfinished file of the current run in the file store. If the process is killed,
  -- a later task deletes this file.
  unfinished_write text,
  rows_total bigint,
  rows_written bigint not null default 0,
  file_key text,
  file_size bigint,
  -- The key that signs the URL of the file.
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
