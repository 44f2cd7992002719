-- Bulk changes: one action on many contacts. See docs/contract/bulk-changes.md.
create table bulk_changes (
  account_id integer not null,
  -- A time-ordered UUID (version 7). It gives the order of the bulk changes.
  bulk_change_id uuid not null,
  status text not null check (status in ('accepted', 'running', 'completed', 'failed', 'cancelled')),
  -- Who created it, as in the audit log.
  author text not null,
  -- For the form, see StoredAction.
  action jsonb not null,
  -- For the form, see StoredSelection.
  selection jsonb not null,
  expected_count bigint not null,
  -- Number of chosen contacts. Null until they are chosen.
  total bigint,
  -- Number of the next chunk to accept. The transaction that stores it also accepts the requests of
  -- the chunk before it.
  next_chunk integer not null default 0,
  -- Counts of the contacts of applied requests.
  changed bigint not null default 0,
  unchanged bigint not null default 0,
  failed bigint not null default 0,
  warnings bigint not null default 0,
  -- Number of the current run, from 1; 0 before the first. Only the newest run may write.
  run integer not null default 0,
  run_started_at timestamptz(3),
  run_started_done bigint not null default 0,
  failure_code text,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (account_id, bulk_change_id),
  check ((status in ('accepted', 'running')) = (finished_at is null)),
  check ((status = 'failed') = (failure_code is not null))
);
create index bulk_changes_status on bulk_changes (account_id, status, bulk_change_id);
create index bulk_changes_unfinished on bulk_changes (created_at) where status in ('accepted', 'running');
create index bulk_changes_finished on bulk_changes (finished_at) where finished_at is not null;

-- The chosen contacts that are not changed and counted yet, in parts of up to 1000 contacts.
create table bulk_change_chunks (
  account_id integer not null,
  bulk_change_id uuid not null,
  -- From 0, in the order of contact_id.
  chunk integer not null,
  contact_ids bigint[] not null,
  -- The requests that change the contacts: one for all of them, or one for each in the same order.
  -- Null until they are accepted.
  request_ids uuid[],
  primary key (account_id, bulk_change_id, chunk)
);

-- Why contacts were not changed, or only in part.
create table bulk_change_failures (
  account_id integer not null,
  bulk_change_id uuid not null,
  contact_id bigint not null,
  -- Number of the failure within the contact, from 0.
  ordinal integer not null,
  code text not null,
  field text,
  message text not null,
  warning boolean not null,
  primary key (account_id, bulk_change_id, contact_id, ordinal)
);

-- An account with this time is being deleted. For callers it does not exist.
alter table accounts add column deleted_at timestamptz(3);

-- Deletions of accounts. A row stays after the end, like the audit log of the account.
create table account_deletions (
  account_id integer primary key,
  -- The name that the account had.
  name text not null,
  -- Who deleted it, as in the audit log.
  author text not null,
  requested_at timestamptz(3) not null,
  -- The table whose rows are deleted now. Null before the first step, and at the end.
  step text,
  deleted_rows bigint not null default 0,
  finished_at timestamptz(3)
);
create index account_deletions_unfinished on account_deletions (requested_at) where finished_at is null;
