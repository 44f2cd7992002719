-- Exports that people start: of a filter or of all contacts, and by schedules. See docs/exports.md.

-- Who started the export, as in the audit log, such as `operator` or `api-key:3`.
alter table exports add column author text;
update exports set author = 'api-key:' || api_key_id;
alter table exports alter column author set not null;
-- Null: the export was not requested with an API key.
alter table exports alter column api_key_id drop not null;
-- Null: the export has a filter instead of an audience.
alter table exports alter column audience_type drop not null;
alter table exports alter column audience_id drop not null;
-- A filter in the form of audiences.filter. An empty filter selects all contacts.
alter table exports add column filter jsonb;
alter table exports add check ((audience_type is null) = (audience_id is null));
alter table exports add check ((audience_type is null) = (filter is not null));
-- The schedule that started the export, and the time for which it was due.
alter table exports add column schedule_id uuid;
alter table exports add column due_at timestamptz(3);
-- The place in S3 that gets the file, without its secret: {"endpoint", "region", "bucket",
-- "prefix", "key_id"}. Null: the file store of the service.
alter table exports add column place jsonb;
create index exports_schedule on exports (account_id, schedule_id, request_id) where schedule_id is not null;

create table export_schedules (
  account_id integer not null,
  -- A time-ordered UUID (version 7). It gives the order of the schedules.
  schedule_id uuid not null,
  name text not null,
  -- The next columns mean the same as in `exports`.
  audience_type text check (audience_type in ('list', 'segment')),
  audience_id integer,
  filter jsonb,
  columns jsonb not null,
  blocklist_type text check (blocklist_type in ('email', 'mobile')),
  compression text not null check (compression in ('none', 'gzip')),
  unmasked boolean not null,
  callback json,
  notify_email text,
  -- {"every", "at", "weekdays", "day", "cron"}
  timing jsonb not null,
  -- The time zone of the account when next_run_at was computed. If the account changes its zone,
  -- next_run_at is computed again.
  time_zone text not null,
  place jsonb,
  place_secret text,
  -- Number of newest files that are kept. Older files are deleted. Not used for files in S3.
  keep_files integer not null,
  paused boolean not null,
  -- Number of runs that have failed since the last completed run.
  failures integer not null default 0,
  -- Set after too many failures. Then the schedule does not run until somebody changes it.
  disabled_at timestamptz(3),
  -- Null while the schedule is paused or disabled.
  next_run_at timestamptz(3),
  -- Counts the changes. It is the entity tag of the schedule.
  version integer not null default 1,
  author text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, schedule_id),
  check ((audience_type is null) = (audience_id is null)),
  check ((audience_type is null) = (filter is not null)),
  check ((place is null) = (place_secret is null)),
  check (next_run_at is null or (disabled_at is null and not paused))
);
create index export_schedules_due on export_schedules (next_run_at) where next_run_at is not null;

-- The history of schedules. The primary key prevents a second run for the same time.
create table export_schedule_runs (
  account_id integer not null,
  schedule_id uuid not null,
  due_at timestamptz(3) not null,
  -- True: somebody started the run by hand.
  by_hand boolean not null,
  status text not null check (status in ('started', 'completed', 'failed', 'cancelled', 'skipped')),
  -- The export of the run. Null if the run was skipped or refused.
  request_id uuid,
  -- Number of earlier due times without a run, because no worker ran at these times.
  missed integer not null default 0,
  -- Why the run failed or was skipped.
  reason text,
  rows_written bigint,
  file_size bigint,
  finished_at timestamptz(3),
  primary key (account_id, schedule_id, due_at),
  check ((status = 'started') = (finished_at is null))
);

-- Saved views: states of console pages, with a name.
create table saved_views (
  account_id integer not null,
  view_id uuid not null,
  -- The person who owns the view. Null: the view is shared with everyone in the account.
  user_id integer,
  name text not null,
  -- The page of the console, such as `contacts`.
  page text not null,
  -- The state of the page, as in its address. The type is json, because jsonb changes the order of
  -- keys.
  state json not null,
  author text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, view_id)
);
create index saved_views_page on saved_views (account_id, page, view_id);
