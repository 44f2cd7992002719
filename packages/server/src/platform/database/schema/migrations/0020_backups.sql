-- The id of this installation. It is a part of the names of its backups. A restore creates another
-- id, so that a copy never deletes the backups of its original.
create table installation (
  installation_id uuid primary key,
  made_at timestamptz(3) not null
);
insert into installation (installation_id, made_at) values (gen_random_uuid(), now());

-- The backups that this installation started: running, completed and failed.
create table backup_runs (
  backup_run_id uuid primary key,
  -- database: a backup of the rows. files: a copy of the database files, for point-in-time
  -- recovery.
  kind text not null check (kind in ('database', 'files')),
  name text not null,
  place text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- If its process is killed, a backup stays `running` until the service marks it as failed.
  status text not null check (status in ('running', 'completed', 'failed')),
  error text,
  -- Size of the stored backup in bytes.
  size bigint,
  constraint backup_runs_check check ((status = 'running') = (finished_at is null))
);
create index backup_runs_started_at on backup_runs (kind, started_at desc);
