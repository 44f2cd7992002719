-- What backups are told apart by: the id of this installation. A restore makes another one, so that a copy never deletes the backups of its original.
create table installation (
  installation_id uuid primary key,
  made_at timestamptz(3) not null
);
insert into installation (installation_id, made_at) values (gen_random_uuid(), now());

-- The backups that this installation made, or tried to make.
create table backup_runs (
  backup_run_id uuid primary key,
  -- What was made: a backup of the rows, or a copy of the files for point-in-time recovery.
  kind text not null check (kind in ('database', 'files')),
  name text not null,
  place text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- A run without a status that nobody is at any more was killed.
  status text not null check (status in ('running', 'completed', 'failed')),
  error text,
  -- Bytes in the place.
  size bigint,
  constraint backup_runs_check check ((status = 'running') = (finished_at is null))
);
create index backup_runs_started_at on backup_runs (kind, started_at desc);
